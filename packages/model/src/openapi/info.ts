import type { Edition } from '../release.js';
import type { Info } from './document.js';

/** What the document says about itself, and how to log in, which OpenAPI has no form for. */
export function infoOf(edition: Edition): Info {
  const { release, variant } = edition;
  return {
    title: `Management interface of a 2D laser scanner, release ${release}, variant ${variant}`,
    summary: 'Parameters, methods and files of the scanner, as JSON over HTTP.',
    description: description(edition),
    version: release,
    license: { name: 'MIT', identifier: 'MIT' },
    'x-edition': edition,
  };
}

function description({ release, variant }: Edition): string {
  return `Exactly what a scanner of release ${release}, variant \`${variant}\`, serves. Other releases and variants differ.

## Answers

Everything under \`/api\` but files is answered with HTTP 200, whether it went well or not: look at \`header.status\`.
Only status 0 brings \`data\` (or \`challenge\`); a refusal brings the header alone. The HTTP response header
\`Azimuth-Detail\` says in words what was wrong and where, except after a failed login.

## Reading and writing

A GET reads a variable and asks for no login. A POST writes it, or calls a method; each says in \`x-user-level\` who may:
a user level stands for itself and all above it (Maintenance, AuthorizedClient, Service), \`login\` for any of them,
\`open\` for everybody. A write changes the working value only: WriteEeprom stores it, or it is lost with the next power
cut. A stated default is the value from the factory; a request has to state all its members that are required, whatever
their default.

## How to log in

There are no sessions. Each protected POST proves anew that the caller knows the password, which itself is never sent:

1. \`POST /api/getChallenge\` with \`{"data":{"user":"Service"}}\` answers a \`challenge\`: \`realm\`, \`nonce\`, \`opaque\`
   and \`salt\`, an array of bytes.
2. Compute, with SHA-256 written as lower-case hex digits:
   - \`hash1\` of \`<user>:<realm>:<password>:\` with the bytes of the salt behind it; where the challenge has no salt, of
     \`<user>:<realm>:<password>\`,
   - \`hash2\` of \`POST:<name>\`, the name being what follows \`/api/\` in the path,
   - \`response\` of \`<hash1>:<nonce>:<hash2>\`.
3. Send the POST with \`{"header":{"user","realm","nonce","opaque","response"},"data":{…}}\`.

A challenge is good for one POST. One for another user level voids it: status 10, fetch a new one and try again. Clients
that run side by side have to take turns with these steps. Five failed logins, in a row or at one user level since its
last success, lock everybody out for 30 seconds (status 4), and so does fetching many challenges without using them, for a
few seconds. Attempts at a disabled user level answer status 4 and do not count.

## Marks

\`x-user-level\`, \`x-since\` and \`x-until\` (the releases that brought it and took it away), \`x-event\` (changes are pushed
to subscribers), \`x-unit\`, \`x-enum-varnames\` (the names of an enumeration's numbers, in their order).
`;
}
