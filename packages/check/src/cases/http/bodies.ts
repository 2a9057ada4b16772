import { get, post, raw, write } from '../../steps/index.js';
import { challenge } from '../auth/challenge.js';
import { caseList, type ListedCase } from '../case-list.js';
import { length, ok, payload, postHead, read } from './requests.js';

/** A body that is no JSON object. */
function unparsed(id: string, what: string, body: string): ListedCase {
  return {
    id,
    clause: `${what} answers status 1.`,
    steps: [post('getChallenge', { status: 1 }, { body })],
  };
}

/** getChallenge with a Content-Type. */
function typed(id: string, type: string): ListedCase {
  return {
    id,
    clause: `A body is read as JSON, whatever its Content-Type says: ${type}.`,
    place: 'family: what clients send',
    steps: [post('getChallenge', { status: 0 }, { body: payload, headers: { 'content-type': type } })],
  };
}

const decided = 'Azimuth: rest.md, Responses and statuses';
const noPayload = 'specification: GetWebserverEnabled, JSON object or null';

/** Bodies of POSTs. */
export const bodyCases = caseList(
  'http.body',
  { place: decided, level: 'should', stage: 'read' },
  {
    id: 'null',
    clause: 'The body null means that there is no payload.',
    level: 'must',
    place: noPayload,
    steps: [post('GetWebserverEnabled', { status: 0 }, { body: 'null' })],
  },
  {
    id: 'empty-object',
    clause: 'The body {} means that there is no payload.',
    level: 'must',
    place: noPayload,
    steps: [post('GetWebserverEnabled', { status: 0 }, { body: '{}' })],
  },
  {
    id: 'empty',
    clause: 'An empty body means that there is no payload.',
    place: 'family: what clients send',
    steps: [
      post('GetWebserverEnabled', { status: 0 }, { body: '' }),
      post('GetWebserverEnabled', { status: 0 }),
    ],
  },
  {
    id: 'blanks',
    clause: 'Blanks and line ends around JSON and within it are ignored.',
    level: 'must',
    place: 'RFC 8259, 2',
    steps: [post('getChallenge', { status: 0 }, { body: ' \r\n\t{ "data" :\n{ "user"\t: "Service" } } \n' })],
  },
  {
    id: 'escaped-name',
    clause: 'Letters of a name may be escaped.',
    level: 'must',
    place: 'RFC 8259, 7',
    steps: [post('getChallenge', { status: 0 }, { body: '{"d\\u0061ta":{"us\\u0065r":"S\\u0065rvice"}}' })],
  },
  {
    id: 'further-members',
    clause: 'Further members beside header and data are ignored.',
    steps: [post('getChallenge', { status: 0 }, { body: { id: 7, data: { user: 'Service' } } })],
  },
  {
    id: 'name-twice',
    clause: 'If a member comes twice, the last one counts.',
    steps: [
      post('getChallenge', { status: 0 }, { body: '{"data":{"user":"Nobody"},"data":{"user":"Service"}}' }),
      post('getChallenge', { status: 3 }, { body: '{"data":{"user":"Service","user":"Nobody"}}' }),
    ],
  },
  unparsed('array', 'A body that is an array', '[{"data":{"user":"Service"}}]'),
  unparsed('number', 'A body that is a number', '4'),
  unparsed('text', 'A body that is a text', '"Service"'),
  unparsed('boolean', 'A body that is true', 'true'),
  ...[
    unparsed('no-json', 'A body that is no JSON', 'user=Service'),
    unparsed('cut-off', 'A body that is cut off', '{"data":{"user":"Service"}'),
    unparsed('behind-json', 'A body with something behind its JSON', `${payload}x`),
    unparsed('two-objects', 'A body with two objects', `${payload}${payload}`),
    unparsed('comma-at-end', 'A body with a comma before a brace', '{"data":{"user":"Service"},}'),
    unparsed('single-quotes', 'A body with single quotes', "{'data':{'user':'Service'}}"),
    unparsed('comment', 'A body with a comment', '{"data":{"user":"Service"}/* it */}'),
    unparsed('line-in-text', 'A body with a line end within a text', '{"data":{"user":"Ser\nvice"}}'),
  ].map((one): ListedCase => ({ ...one, level: 'must', place: 'specification: Errors' })),
  {
    id: 'not-utf-8',
    clause: 'A body that is not UTF-8 answers status 1.',
    place: 'RFC 8259, 8.1',
    steps: [
      raw(`${postHead}Content-Length: 26\r\n\r\n{"data":{"user":"Servic\xe9"}}${read}`.replace('26', '27'), [
        { status: 1 },
        ok,
      ]),
    ],
  },
  {
    id: 'data-is-null',
    clause: 'data that is null answers status 2.',
    steps: [post('getChallenge', { status: 2 }, { body: { data: null } })],
  },
  {
    id: 'data-is-array',
    clause: 'data that is an array answers status 2.',
    steps: [post('getChallenge', { status: 2 }, { body: { data: ['Service'] } })],
  },
  {
    id: 'without-type',
    clause: 'A body is read as JSON, also without a Content-Type.',
    place: 'family: what clients send',
    steps: [raw(`${postHead}${length}\r\n${payload}`, ok)],
  },
  typed('type-text', 'text/plain'),
  typed('type-form', 'application/x-www-form-urlencoded'),
  typed('type-with-charset', 'application/json; charset=utf-8'),
  {
    id: 'deep',
    clause: 'A body of 300 arrays within one another answers status 1, and the next request is answered.',
    place: 'Azimuth: limits.md, Sizes',
    steps: [
      post('getChallenge', { status: 1 }, { body: `{"data":${'['.repeat(300)}${']'.repeat(300)}}` }),
      challenge('Service'),
    ],
  },
  {
    id: 'large',
    clause: 'A body of 2 MiB answers status 1, and the connection is kept.',
    place: 'Azimuth: limits.md, Sizes',
    steps: [
      raw(
        [`${postHead}Content-Length: 2097152\r\n\r\n`, { repeat: ' ', times: 2_097_152 }, read],
        [{ status: 1 }, ok],
      ),
    ],
  },
  {
    id: 'large-in-chunks',
    clause: 'A body of 2 MiB in chunks answers status 1, and the connection is kept.',
    place: 'Azimuth: limits.md, Sizes',
    steps: [
      raw(
        [
          `${postHead}Transfer-Encoding: chunked\r\n\r\n`,
          { repeat: `800\r\n${' '.repeat(2048)}\r\n`, times: 1024 },
          `0\r\n\r\n${read}`,
        ],
        [{ status: 1 }, ok],
      ),
    ],
  },
  {
    id: 'large-for-unknown-name',
    clause: 'A large body does not change that an unknown name answers status 5.',
    place: 'Azimuth: limits.md, The limit of a body',
    steps: [post('ThereIsNoSuchName', { status: 5 }, { body: ' '.repeat(100_000) })],
  },
);

/** A text that is written and read back. */
function written(id: string, clause: string, text: string, more: Partial<ListedCase> = {}): ListedCase {
  return {
    id,
    clause,
    steps: [
      write('LocationName', text),
      get('LocationName', { status: 0, data: { has: { LocationName: { is: text } } } }),
    ],
    ...more,
  };
}

/** Texts in bodies. */
export const textCases = caseList(
  'http.text',
  { place: 'RFC 8259, 8.1', level: 'should', stage: 'write', changes: ['LocationName'] },
  written('utf-8', 'A text of any script is kept as it is.', 'Tür 3 – Ø 測定 😀'),
  written('quotes', 'Quotes and backslashes in a text are kept.', '"Gate" \\ 3', { level: 'must' }),
  written('empty', 'A text may be empty.', '', { place: decided }),
  written('blanks', 'Blanks at the ends of a text are kept.', '  Gate 3  ', { place: decided }),
  written(
    'characters',
    'The length of a text is counted in characters, not in bytes: 32 of four bytes each fit.',
    '😀'.repeat(32),
    {
      place: decided,
    },
  ),
  {
    id: 'one-character-more',
    clause: '33 characters do not fit in LocationName, of whatever script: status 7.',
    level: 'must',
    place: 'specification: Limits',
    steps: [write('LocationName', '😀'.repeat(33), { status: 7 })],
  },
  {
    id: 'control-characters',
    clause: 'A text with control characters answers status 2.',
    place: decided,
    steps: [
      write('LocationName', 'Gate\u0007', { status: 2 }),
      write('LocationName', 'Gate\n3', { status: 2 }),
    ],
  },
  {
    id: 'lone-surrogate',
    clause: 'A text with half of a surrogate pair answers status 2.',
    place: decided,
    steps: [write('LocationName', 'Gate \ud800', { status: 2 })],
  },
);
