#!/bin/sh
# Starts a virtual scanner on free ports, runs a command, and ends the scanner. The exit code is that of the command:
#   with-scanner.sh COMMAND [ARGUMENT...]
# The command finds the scanner in AZIMUTH_DEVICE and AZIMUTH_CONTROL, as `azimuth` does. SCANNER_OPTIONS are options of
# `azimuth serve`, for example "--scene gate --seed 7". `azimuth` must be on the PATH.
set -eu
folder=$(mktemp -d)
scanner=
end() {
  [ -z "$scanner" ] || { kill "$scanner" && wait "$scanner"; } || :
  rm -rf "$folder"
}
trap end EXIT
trap 'exit 1' HUP INT TERM

# shellcheck disable=SC2086  # several options
azimuth serve --any-ports --ready-file "$folder/ready" --data "$folder/data" ${SCANNER_OPTIONS:-} >"$folder/log" 2>&1 &
scanner=$!
until [ -e "$folder/ready" ]; do
  kill -0 "$scanner" 2>/dev/null || { cat "$folder/log" >&2; exit 1; }
  sleep 0.1
done

# port NAME: a port of the ready line
port() { sed "s/.*\"$1\":\([0-9]*\).*/\1/" "$folder/ready"; }
AZIMUTH_DEVICE=http://127.0.0.1:$(port http)
AZIMUTH_CONTROL=http://127.0.0.1:$(port control)
AZIMUTH_PASSWORD=servicelevel
export AZIMUTH_DEVICE AZIMUTH_CONTROL AZIMUTH_PASSWORD
"$@"
