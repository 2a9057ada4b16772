import { raw } from '../../steps/index.js';
import { caseList, type ListedCase } from '../case-list.js';
import { chunked, getHead, inOneChunk, length, ok, payload, postHead, read, refused } from './requests.js';

/** The payload within 1100 bytes, and its end in a second chunk. */
const inTwoLargeChunks = `258\r\n${payload.slice(0, 8).padEnd(600)}\r\n1f4\r\n${payload.slice(8).padStart(500)}\r\n0\r\n\r\n`;

/** How requests of HTTP/1.1 are told apart. */
export const framingCases = caseList(
  'http.framing',
  { place: 'RFC 9112', level: 'should', stage: 'read' },
  {
    id: 'kept-connection',
    clause: 'A connection is kept after an answer: a second request on it is answered.',
    steps: [raw(`${read}${read}`, [ok, ok])],
  },
  {
    id: 'order',
    clause: 'Requests that come at once are answered in their order.',
    steps: [
      raw(
        ['SerialNumber', 'FirmwareVersion', 'OrderNumber'].map(
          (name) => `GET /api/${name} HTTP/1.1\r\nHost: {host}\r\n\r\n`,
        ),
        ['SerialNumber', 'FirmwareVersion', 'OrderNumber'].map((name) => ({
          status: 0,
          data: { has: { [name]: { present: true } } },
        })),
      ),
    ],
  },
  {
    id: 'many-at-once',
    clause: '30 requests that come at once on a connection are all answered.',
    steps: [
      raw(
        { repeat: 'GET /api/SerialNumber HTTP/1.1\r\nHost: x\r\n\r\n', times: 30 },
        Array.from({ length: 30 }, () => ok),
      ),
    ],
  },
  {
    id: 'length-of-body',
    clause: 'A body ends where Content-Length says. The next request begins there.',
    steps: [raw(`${postHead}${length}\r\n${payload}${read}`, [ok, { status: 0, data: { present: true } }])],
  },
  {
    id: 'no-body',
    clause:
      'A POST without Content-Length and without chunks has no body: status 1, and the next request is answered.',
    steps: [raw(`${postHead}\r\n${read}`, [{ status: 1 }, ok])],
  },
  {
    id: 'body-of-get',
    clause: 'A GET may have a body. It is read and ignored.',
    steps: [raw(`${getHead}Content-Length: 2\r\n\r\n{}${read}`, [ok, ok])],
  },
  {
    id: 'pieces',
    clause: 'A request may come in pieces.',
    steps: [
      raw([...`${postHead}${length}`.split(/(?=[:/ ])/), '\r\n', '{"data":', '{"user":"Ser', 'vice"}}'], ok),
    ],
  },
  {
    id: 'blank-line-before',
    clause: 'Blank lines before a request are ignored.',
    steps: [raw(`\r\n\r\n${read}`, ok)],
  },
  {
    id: 'header-names',
    clause: 'The case of the names of headers does not matter.',
    steps: [
      raw(`POST /api/getChallenge HTTP/1.1\r\nhOST: {host}\r\ncONTENT-lENGTH: 27\r\n\r\n${payload}`, ok),
    ],
  },
  {
    id: 'header-blanks',
    clause: 'Blanks around the value of a header are ignored.',
    steps: [
      raw(`POST /api/getChallenge HTTP/1.1\r\nHost:{host}\r\nContent-Length: \t 27 \r\n\r\n${payload}`, ok),
    ],
  },
  {
    id: 'one-chunk',
    clause: 'A body may come in one chunk.',
    steps: [raw(`${postHead}${chunked}\r\n${inOneChunk}${read}`, [ok, ok])],
  },
  {
    id: 'many-chunks',
    clause: 'A body may come in many chunks.',
    steps: [
      raw(`${postHead}${chunked}\r\n${[...payload].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`, ok),
    ],
  },
  {
    id: 'large-chunks',
    clause: 'A body that comes in several chunks may be longer than 1 KiB: it is read whole.',
    steps: [raw(`${postHead}${chunked}\r\n${inTwoLargeChunks}`, ok)],
  },
  {
    id: 'chunk-extensions',
    clause: 'Extensions of chunks are ignored.',
    steps: [raw(`${postHead}${chunked}\r\n1b;a=b;c="d"\r\n${payload}\r\n0;e\r\n\r\n${read}`, [ok, ok])],
  },
  {
    id: 'trailers',
    clause: 'Headers behind the last chunk are ignored.',
    steps: [raw(`${postHead}${chunked}\r\n1b\r\n${payload}\r\n0\r\nA: b\r\n\r\n${read}`, [ok, ok])],
  },
  {
    id: 'chunk-of-size-in-capitals',
    clause: 'The size of a chunk is hexadecimal, in small letters or capitals.',
    steps: [raw(`${postHead}${chunked}\r\n1B\r\n${payload}\r\n0\r\n\r\n`, ok)],
  },
  {
    id: 'expect-continue',
    clause: 'Expect: 100-continue is answered with 100 Continue, and then the request is.',
    place: 'RFC 9110, 10.1.1',
    steps: [raw([`${postHead}${length}Expect: 100-continue\r\n\r\n`, payload], [{ http: 100 }, ok])],
  },
  {
    id: 'other-expectation',
    clause: 'Any other expectation than 100-continue is answered with HTTP 417.',
    place: 'RFC 9110, 10.1.1',
    steps: [raw(`${getHead}Expect: more\r\n\r\n`, { http: 417, status: 1 })],
  },
  {
    id: 'connection-close',
    clause: 'After a request with Connection: close, the connection is closed.',
    steps: [raw(`${getHead}Connection: close\r\n\r\n`, ok, { closes: true })],
  },
  {
    id: 'half-closed',
    clause:
      'A client may close its sending side: it still gets the answers, and the connection is closed then.',
    place: 'Azimuth: limits.md, Connections',
    steps: [raw(`${read}${read}`, [ok, ok], { end: true, closes: true })],
  },
  {
    id: 'broken-off',
    clause: 'A request that ends before its body does is refused with HTTP 400.',
    place: 'Azimuth: limits.md, Connections',
    steps: [raw(`${postHead}${length}\r\n{"data":`, { http: 400, status: 1 }, { end: true, closes: true })],
  },
  {
    id: 'http-1-0',
    clause: 'A request of HTTP/1.0 is answered, and the connection is closed.',
    steps: [raw('GET /api/SerialNumber HTTP/1.0\r\nHost: {host}\r\n\r\n', ok, { closes: true })],
  },
  {
    id: 'http-1-0-without-host',
    clause: 'A request of HTTP/1.0 needs no Host.',
    steps: [raw('GET /api/SerialNumber HTTP/1.0\r\n\r\n', ok, { closes: true })],
  },
  {
    id: 'http-1-0-kept',
    clause: 'With Connection: keep-alive, the connection of HTTP/1.0 is kept.',
    place: 'Azimuth: limits.md, Versions of HTTP',
    steps: [
      raw(`GET /api/SerialNumber HTTP/1.0\r\nHost: {host}\r\nConnection: keep-alive\r\n\r\n${read}`, [
        ok,
        ok,
      ]),
    ],
  },
);

/** A request that may be read in two ways, or in none. */
function ambiguous(id: string, what: string, text: string, http?: number): ListedCase {
  return {
    id,
    clause: `${what} is refused with HTTP ${http ?? 400}, and the connection is closed: nothing behind it is taken for a request.`,
    steps: [refused([text, read], http)],
  };
}

/** What is no HTTP, or could be read in two ways. */
export const refusedCases = caseList(
  'http.refused',
  { place: 'RFC 9112; Azimuth: limits.md, Framing', level: 'should', stage: 'read' },
  ambiguous(
    'length-and-chunks',
    'A request with Content-Length and chunks',
    `${postHead}${length}${chunked}\r\n${inOneChunk}`,
  ),
  ambiguous(
    'chunks-and-length',
    'A request with chunks and Content-Length',
    `${postHead}${chunked}${length}\r\n${inOneChunk}`,
  ),
  ambiguous(
    'two-lengths',
    'A request with two lengths',
    `${postHead}${length}Content-Length: 1\r\n\r\n${payload}`,
  ),
  ambiguous('negative-length', 'A length below zero', `${postHead}Content-Length: -1\r\n\r\n${payload}`),
  ambiguous('signed-length', 'A length with a sign', `${postHead}Content-Length: +27\r\n\r\n${payload}`),
  ambiguous(
    'hexadecimal-length',
    'A length that is not decimal',
    `${postHead}Content-Length: 0x1b\r\n\r\n${payload}`,
  ),
  ambiguous(
    'huge-length',
    'A length beyond 64 bits',
    `${postHead}Content-Length: 18446744073709551643\r\n\r\n${payload}`,
  ),
  ambiguous(
    'gzip',
    'Transfer-Encoding without chunked',
    `${postHead}Transfer-Encoding: gzip\r\n\r\n${payload}`,
  ),
  ambiguous(
    'chunked-then-gzip',
    'Transfer-Encoding that does not end in chunked',
    `${postHead}Transfer-Encoding: chunked, gzip\r\n\r\n${inOneChunk}`,
  ),
  ambiguous(
    'long-chunk',
    'A chunk that is longer than its size',
    `${postHead}${chunked}\r\n1a\r\n${payload}\r\n0\r\n\r\n`,
  ),
  ambiguous(
    'chunk-without-size',
    'A chunk without a size',
    `${postHead}${chunked}\r\n\r\n${payload}\r\n0\r\n\r\n`,
  ),
  ambiguous('blank-before-colon', 'A blank before the colon of a header', `${getHead}A : b\r\n\r\n`),
  ambiguous('folded-header', 'A header that is continued on the next line', `${getHead}A: b\r\n c\r\n\r\n`),
  ambiguous('bare-line-feed', 'A line that ends in a line feed alone', `${getHead}A: b\nC: d\r\n\r\n`),
  ambiguous('bare-carriage-return', 'A carriage return within a line', `${getHead}A: b\rC: d\r\n\r\n`),
  ambiguous('nul-in-header', 'NUL in a header', `${getHead}A: b\0c\r\n\r\n`),
  ambiguous('nul-in-path', 'NUL in a path', 'GET /api/Serial\0Number HTTP/1.1\r\nHost: {host}\r\n\r\n'),
  ambiguous(
    'blank-in-path',
    'A path with a blank',
    'GET /api/Serial Number HTTP/1.1\r\nHost: {host}\r\n\r\n',
  ),
  ambiguous(
    'path-without-slash',
    'A path without a slash',
    'GET api/SerialNumber HTTP/1.1\r\nHost: {host}\r\n\r\n',
  ),
  ambiguous(
    'path-outside-ascii',
    'A path that is not ASCII',
    'GET /api/Ger\u00e4t HTTP/1.1\r\nHost: {host}\r\n\r\n',
  ),
  ambiguous('no-http', 'Bytes that are no request', 'Good morning, scanner!\r\n\r\n'),
  ambiguous(
    'tls',
    'The beginning of TLS on the port of HTTP',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  ),
  ambiguous('no-host', 'A request of HTTP/1.1 without a Host', 'GET /api/SerialNumber HTTP/1.1\r\n\r\n'),
  ambiguous('two-hosts', 'A request with two Hosts', `${getHead}Host: {host}\r\n\r\n`),
  ambiguous(
    'http-1-0-in-chunks',
    'HTTP/1.0 with Transfer-Encoding',
    `POST /api/getChallenge HTTP/1.0\r\nHost: {host}\r\n${chunked}\r\n${inOneChunk}`,
  ),
  ambiguous(
    'http-2-0',
    'HTTP/2.0 in a request line',
    'GET /api/SerialNumber HTTP/2.0\r\nHost: {host}\r\n\r\n',
    505,
  ),
  ambiguous('connect', 'CONNECT', 'CONNECT scanner:443 HTTP/1.1\r\nHost: scanner:443\r\n\r\n'),
  ambiguous(
    'unknown-verb',
    'A verb that HTTP does not have',
    'FETCH /api/SerialNumber HTTP/1.1\r\nHost: {host}\r\n\r\n',
  ),
  ambiguous(
    'verb-in-small-letters',
    'A verb in small letters',
    'get /api/SerialNumber HTTP/1.1\r\nHost: {host}\r\n\r\n',
  ),
  {
    id: 'other-connections',
    clause: 'Bytes that are no HTTP have no effect on other connections.',
    steps: [refused('Good morning, scanner!\r\n\r\n'), raw(read, ok)],
  },
  {
    id: 'behind-an-answer',
    clause: 'Requests before bytes that are no HTTP are answered first.',
    steps: [raw([read, 'Good morning!\r\n\r\n'], [ok, { http: 400, status: 1 }], { closes: true })],
  },
);
