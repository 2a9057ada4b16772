import { get, raw, type Step } from '../../steps/index.js';
import type { Stage } from '../case.js';
import { caseList, type ListedCase } from '../case-list.js';
import { getHead, ok, read } from './requests.js';

/** A path that is no name of the interface. */
function unknown(id: string, what: string, path: string, more: Partial<ListedCase> = {}): ListedCase {
  return {
    id,
    clause: `${what} answers status 5.`,
    steps: [raw(`GET ${path} HTTP/1.1\r\nHost: {host}\r\n\r\n${read}`, [{ status: 5 }, ok])],
    ...more,
  };
}

/** A path that means SerialNumber. */
function known(id: string, clause: string, target: string): ListedCase {
  return { id, clause, steps: [serialNumberAt(target)] };
}

function serialNumberAt(target: string): Step {
  return raw(`GET ${target} HTTP/1.1\r\nHost: {host}\r\n\r\n`, {
    status: 0,
    data: { has: { SerialNumber: { present: true } } },
  });
}

const must = { level: 'must', place: 'specification: Errors' } as const;
const stage: Stage = 'read';

/** Paths. */
export const pathCases = caseList(
  'http.path',
  { place: 'Azimuth: limits.md, Paths', level: 'should', stage },
  unknown('small-letters', 'A name in small letters', '/api/serialnumber', must),
  unknown('capitals', 'A name in capitals', '/api/SERIALNUMBER', must),
  unknown('beginning', 'The beginning of a name', '/api/SerialNumbe', must),
  unknown('more', 'A name with a letter more', '/api/SerialNumbers', must),
  unknown('inherited', 'A name that program languages give to every object', '/api/constructor', must),
  unknown('prototype', 'The name __proto__', '/api/__proto__', must),
  unknown('no-name', 'The path /api/ without a name', '/api/'),
  unknown('bare', 'The path /api', '/api'),
  unknown('slash-at-end', 'A name with a slash behind it', '/api/SerialNumber/'),
  unknown('below', 'A path below a name', '/api/SerialNumber/SerialNumber'),
  unknown('two-slashes', 'A path with two slashes', '/api//SerialNumber'),
  unknown('capital-api', '/API in capitals', '/API/SerialNumber'),
  unknown('dots', 'A path with two dots', '/docs/../api/SerialNumber'),
  unknown('encoded-slash', 'A path whose slash is encoded', '/api%2FSerialNumber'),
  unknown('encoded-twice', 'A name that is encoded twice', '/api/Serial%254Eumber'),
  unknown('broken-encoding', 'A name with a percent sign that encodes nothing', '/api/%zz'),
  unknown('encoded-nul', 'A name with an encoded NUL behind it', '/api/SerialNumber%00'),
  unknown('encoded-blank', 'A name with an encoded blank behind it', '/api/SerialNumber%20'),
  unknown('long', 'A name of 10,000 letters', `/api/${'a'.repeat(10_000)}`),
  known('query', 'A query behind a name is ignored.', '/api/SerialNumber?format=xml'),
  known('empty-query', 'An empty query behind a name is ignored.', '/api/SerialNumber?'),
  known('encoded-letter', 'An encoded letter of a name stands for the letter.', '/api/Serial%4eumber'),
  known('absolute', 'A target with http:// and the host is understood.', 'http://{host}/api/SerialNumber'),
);

/** A verb that a variable does not have. */
function refusedVerb(verb: string, more: Partial<ListedCase> = {}): ListedCase {
  return {
    id: verb.toLowerCase(),
    clause: `${verb} of a variable answers status 5: the method of HTTP is wrong.`,
    steps: [
      raw(`${verb} /api/SerialNumber HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n${read}`, [
        { status: 5 },
        ok,
      ]),
    ],
    ...more,
  };
}

/** Verbs. */
export const verbCases = caseList(
  'http.verb',
  { place: 'Azimuth: limits.md, Verbs', level: 'should', stage },
  refusedVerb('PUT', must),
  refusedVerb('DELETE', must),
  refusedVerb('PATCH', must),
  refusedVerb('OPTIONS'),
  refusedVerb('TRACE'),
  {
    id: 'put-of-method',
    clause: 'PUT of a method answers status 5.',
    ...must,
    steps: [
      raw(`PUT /api/getChallenge HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n${read}`, [
        { status: 5 },
        ok,
      ]),
    ],
  },
  {
    id: 'head',
    clause: 'The answer to HEAD has no body: the next answer follows its headers.',
    place: 'RFC 9110, 9.3.2',
    steps: [
      raw(`HEAD /api/SerialNumber HTTP/1.1\r\nHost: {host}\r\n\r\n${read}`, [
        { http: 200, toHead: true },
        ok,
      ]),
    ],
  },
  {
    id: 'upgrade',
    clause: 'A request to upgrade to something that the scanner does not speak is answered as it is.',
    place: 'RFC 9110, 7.8',
    steps: [raw(`${getHead}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`, ok)],
  },
);

/** A Host. */
function host(id: string, what: string, name: string): ListedCase {
  return {
    id,
    clause: `A request with ${what} as Host is answered.`,
    steps: [raw(`GET /api/SerialNumber HTTP/1.1\r\nHost: ${name}\r\n\r\n`, ok)],
  };
}

/** What protects against web pages. */
export const pageCases = caseList(
  'http.page',
  { place: 'Azimuth: security.md, Web pages', level: 'should', stage },
  host('address', 'an address', '192.0.2.7:80'),
  host('localhost', 'localhost', 'localhost'),
  host('short-name', 'a name without a dot', 'scanner'),
  host('local-name', 'a name under .local', 'scanner.local'),
  {
    id: 'foreign-host',
    clause:
      'A request with a public name as Host gets HTTP 403: a page could let its own name point at the scanner.',
    steps: [raw('GET /api/SerialNumber HTTP/1.1\r\nHost: page.example.com\r\n\r\n', { http: 403 })],
  },
  {
    id: 'foreign-target',
    clause: 'A target with http:// and a public name gets HTTP 403.',
    steps: [
      raw('GET http://page.example.com/api/SerialNumber HTTP/1.1\r\nHost: {host}\r\n\r\n', { http: 403 }),
    ],
  },
  {
    id: 'own-origin',
    clause: 'A request of a page of the scanner is answered: its Origin is the Host.',
    steps: [raw(`${getHead}Origin: http://{host}\r\n\r\n`, ok)],
  },
  {
    id: 'foreign-origin',
    clause: 'A request of a page of somebody else gets HTTP 403: its Origin is another one.',
    steps: [raw(`${getHead}Origin: http://page.example.com\r\n\r\n`, { http: 403 })],
  },
  {
    id: 'no-origin-at-all',
    clause: 'A request with the Origin null gets HTTP 403.',
    steps: [raw(`${getHead}Origin: null\r\n\r\n`, { http: 403 })],
  },
  {
    id: 'other-port',
    clause: 'A request of a page of the same host at another port gets HTTP 403.',
    steps: [
      raw('GET /api/SerialNumber HTTP/1.1\r\nHost: 127.0.0.1:80\r\nOrigin: http://127.0.0.1:81\r\n\r\n', {
        http: 403,
      }),
    ],
  },
  {
    id: 'no-sharing',
    clause: 'Answers do not permit pages of others to read them.',
    steps: [get('SerialNumber', { status: 0, headers: { 'access-control-allow-origin': { absent: true } } })],
  },
  {
    id: 'no-guessing',
    clause: 'Answers tell browsers not to take them for a page.',
    steps: [get('SerialNumber', { status: 0, headers: { 'x-content-type-options': { is: 'nosniff' } } })],
  },
);
