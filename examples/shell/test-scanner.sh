#!/bin/sh
# ./with-scanner.sh ./test-scanner.sh: what was not saved is lost in a power cut, and one scan has all beams.
set -eu
expect() { [ "$1" = "$2" ] || { echo "expected $1, got $2" >&2; exit 1; }; }

azimuth set LocationName "Gate 3"
expect "Gate 3" "$(azimuth get LocationName)"
azimuth sim power-cycle
until azimuth get LocationName >/dev/null 2>&1; do sleep 0.1; done # it boots
expect "not defined" "$(azimuth get LocationName)"

# A scan as a line of JSON; the first one may lack segments. With --aim, the scanner sends to this computer.
scan=$(azimuth scan --aim --json --count 2 | tail -n 1)
expect 829 "$(echo "$scan" | sed 's/.*"beams":\([0-9]*\).*/\1/')"
