import { allMethods, extensionPrefix } from '@azimuth/model';
import { type Change, withoutRequest } from '../connection/history.js';
import { wireName } from '../connection/scanner-link.js';

const losing = new Set(allMethods.filter(({ loss }) => loss !== undefined).map(({ name }) => name));

/** Returns the changes as a shell script of `azimuth` commands, in their order. It contains no password. */
export function azimuthLines(changes: readonly Change[]): readonly string[] {
  return changes.map(lineOf);
}

function lineOf(change: Change): string {
  const { url, level } = change;
  const user = level === undefined || level === 'Service' ? '' : ` --user ${level}`;
  const to = ` --device ${shellWord(url)}${user}`;
  if (change.kind === 'write') {
    const value = shellWord(JSON.stringify(change.after));
    // Without `--`, the command would read it as an option.
    const last = value.startsWith('-') ? `${to} -- ${value}` : ` ${value}${to}`;
    return `azimuth set ${wireName(change.name)}${last}`;
  }
  const comment = commentOn(change.name);
  if (comment !== undefined) return comment;
  const request = change.request === undefined ? '' : ` ${shellWord(JSON.stringify(change.request))}`;
  const wait = reboots.has(change.name) ? ' --wait' : '';
  // A script has no terminal for a question.
  const yes = losing.has(change.name) ? ' --yes' : '';
  return `azimuth call ${change.name}${request}${wait}${yes}${to}`;
}

/** Returns a comment with the way to repeat a call; undefined if the call can be repeated as it is. */
export function commentOn(method: string): string | undefined {
  const way = withoutRequest[method];
  return way === undefined
    ? undefined
    : `# ${method} had a secret or a file, which is not kept. It is repeated by: ${way}`;
}

/** Methods after which the scanner is away for a while. */
const reboots: ReadonlySet<string> = new Set(['RebootDevice', 'SoftReset']);

/** The login of the REST interface by curl and openssl: a challenge for each POST, and the response to it. */
const login = String.raw`# Needs curl and openssl. Set the password of the level before: export AZIMUTH_PASSWORD=...
field() { sed "s/.*\"$1\":[[\"]*\([^]\"]*\).*/\1/"; }
sha256() { openssl dgst -sha256 -r | cut -d' ' -f1; }
post() { # post ENDPOINT DATA
  case $1 in ${extensionPrefix}*) path=$1 ;; *) path=api/$1 ;; esac
  c=$(curl -s "$S/api/getChallenge" -d "{\"data\":{\"user\":\"$LEVEL\"}}")
  realm=$(echo "$c" | field realm) nonce=$(echo "$c" | field nonce) opaque=$(echo "$c" | field opaque)
  hash1=$({
    printf '%s:%s:%s' "$LEVEL" "$realm" "$AZIMUTH_PASSWORD"
    case $c in *'"salt":[]'*) ;; *'"salt"'*)
      printf ':'
      for byte in $(echo "$c" | field salt | tr , ' '); do printf "\\$(printf %03o "$byte")"; done ;;
    esac
  } | sha256)
  response=$(printf '%s:%s:%s' "$hash1" "$nonce" "$(printf 'POST:%s' "$1" | sha256)" | sha256)
  printf '%s' "{\"header\":{\"user\":\"$LEVEL\",\"realm\":\"$realm\",\"nonce\":\"$nonce\",
    \"opaque\":\"$opaque\",\"response\":\"$response\"},\"data\":$2}" | curl -s "$S/$path" -d @-
  echo
}`;

const waitForReboot =
  'sleep 5; curl -s --retry 60 --retry-delay 1 --retry-connrefused "$S/api/DeviceStatus" && echo';

/** Returns the changes as a shell script of `curl` commands, in their order. It contains no password. */
export function curlLines(changes: readonly Change[]): readonly string[] {
  if (changes.length === 0) return [];
  const lines = [...login.split('\n'), ''];
  let [lastUrl, lastLevel] = ['', ''];
  for (const change of changes) {
    const { url, level = 'Service' } = change;
    if (url !== lastUrl) lines.push(`S=${shellWord(url)}`);
    if (level !== lastLevel) lines.push(`LEVEL=${level}`);
    [lastUrl, lastLevel] = [url, level];
    lines.push(...linesOf(change));
  }
  return lines;
}

function linesOf(change: Change): readonly string[] {
  const { name } = change;
  const post = (endpoint: string, data: unknown) => `post ${endpoint} ${shellWord(JSON.stringify(data))}`;
  if (change.kind === 'write') return [post(wireName(name), { [name]: change.after })];
  const comment = commentOn(name);
  if (comment !== undefined) return [comment];
  const line = post(name, change.request ?? {});
  return reboots.has(name) ? [line, waitForReboot] : [line];
}

/** A text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w.,:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
