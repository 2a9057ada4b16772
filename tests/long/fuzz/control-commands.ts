import { isObject, parse } from '@azimuth/test-support/json';
import type { SeededRandom } from '@azimuth/test-support/seeded-random';
import { brokenRequests, mutated } from './bytes-at-the-socket.js';
import type { FuzzClient } from './fuzz-client.js';
import type { Category } from './fuzz-run.js';
import { hostileValue, huge, spoiled, strangeNumber, strangeString, unknownName } from './hostile-json.js';
import type { HttpReply } from './http-connection.js';
import { get, inChunks, withBody } from './requests.js';

/** Names of members that commands know. */
const members = [
  ...['ms', 'celsius', 'speed', 'signal', 'level', 'sector', 'port', 'high', 'enabled', 'address', 'mask'],
  ...['gateway', 'name', 'x', 'y', 'heading', 'polygons', 'circles', 'actors', 'boxes', 'fog', 'materials'],
];

/** Members of each command. */
const known: Readonly<Record<string, readonly string[]>> = {
  'clock/advance': ['ms'],
  temperature: ['celsius'],
  encoder: ['speed'],
  contamination: ['level', 'sector'],
  input: ['port', 'high'],
  webserver: ['enabled'],
  dhcp: ['address', 'mask', 'gateway'],
  'actors/move': ['name', 'x', 'y', 'heading'],
  'actors/remove': ['name'],
  'encoder/reference': ['signal'],
  drive: ['speed', 'turn', 'ms', 'vehicle'],
  'drive/to': ['x', 'y', 'heading', 'vehicle'],
  scene: ['name'],
};

/** The only refusal that is no 4xx: the request names another version of HTTP. */
const otherVersion = '{"error":"only HTTP/1.0 and HTTP/1.1 are supported"}\n';

/**
 * Checks what holds for every reply of the control port: JSON with `ok`, a state or a client's error, or a bare
 * refusal of something that is not HTTP.
 */
export function judgeControl(reply: HttpReply): number | undefined {
  const { status, headers, body } = reply;
  const isOtherVersion = status === 505 && body === otherVersion;
  if (status !== 200 && !isOtherVersion && !(status >= 400 && status < 500))
    throw new Error(`HTTP ${status}: ${body.slice(0, 300)}`);
  if (body === '' && status >= 400) return status;
  if (headers.get('content-type') !== 'application/json')
    throw new Error(`content of another type: ${body.slice(0, 300)}`);
  const json = parse(body);
  if (!isObject(json)) throw new Error(`not an object: ${body.slice(0, 300)}`);
  if (status !== 200 && (typeof json.error !== 'string' || json.error === ''))
    throw new Error(`no error stated: ${body}`);
  if (body.length > 200_000 && status !== 200) throw new Error(`an error of ${body.length} characters`);
  return status;
}

function memberValue(random: SeededRandom): string {
  switch (random.below(4)) {
    case 0:
      return strangeNumber(random);
    case 1:
      return strangeString(random);
    case 2:
      return random.pick([
        'true',
        'false',
        'null',
        '1',
        '2',
        '8',
        '-1',
        '0.5',
        '100',
        '[127,0,0,1]',
        '[0,0]',
      ]);
    default:
      return hostileValue(random);
  }
}

/** An object with members of this command, or of any. */
function given(random: SeededRandom, command: string): string {
  const its = Object.hasOwn(known, command) ? known[command] : undefined;
  if (its !== undefined && random.percent(60)) {
    return `{${its.map((name) => `${JSON.stringify(name)}:${memberValue(random)}`).join()}}`;
  }
  const names = Array.from({ length: random.pick([1, 1, 1, 2, 3, 8]) }, () =>
    random.percent(90) ? random.pick(members) : unknownName(random),
  );
  return `{${names.map((name) => `${JSON.stringify(name)}:${memberValue(random)}`).join()}}`;
}

function bodyFor(random: SeededRandom, command: string): Buffer {
  const text = random.percent(75) ? given(random, command) : hostileValue(random);
  return random.percent(80) ? Buffer.from(text) : spoiled(text, random);
}

/** Unusual headers that do not change where the body ends. */
const headers = [
  ...[
    'Content-Type: application/json',
    'Content-Type: text/plain',
    'Origin: http://evil.example',
    'Origin: null',
  ],
  ...[
    'Host: evil.example',
    'Expect: 100-continue',
    'X-A: '.padEnd(9000, 'a'),
    'Cookie: a=b',
    'Content-Encoding: gzip',
  ],
];

async function ask(client: FuzzClient, request: Buffer) {
  return [judgeControl(await client.request(request)) ?? 200];
}

/** Inputs for the control port. @param scene the scene that the port returns */
export function controlCategories(commands: readonly string[], scene: string): readonly Category[] {
  const valid = [
    get('/'),
    get('/scene'),
    get('/journal?since=0&limit=3'),
    withBody('POST', '/clock/advance', '{"ms":10}'),
    withBody('POST', '/temperature', '{"celsius":20}'),
    withBody('POST', '/scene', scene),
    inChunks('POST', '/input', Buffer.from('{"port":1,"high":true}'), [3, 9]),
  ];
  return [
    ...brokenRequests(valid, judgeControl),
    {
      name: 'commands',
      weight: 120,
      run: (client, random) => {
        const more = random.percent(10) ? [random.pick(headers)] : [];
        const command = random.pick(commands);
        return ask(client, withBody('POST', `/${command}`, bodyFor(random, command), more));
      },
    },
    {
      name: 'chunked commands',
      weight: 20,
      run: (client, random) => {
        const command = random.pick(commands);
        const body = bodyFor(random, command);
        const ends = Array.from({ length: random.below(5) }, () => random.below(body.length + 1));
        return ask(
          client,
          inChunks('POST', `/${command}`, body, ends, { extension: random.pick(['', ';a=b']) }),
        );
      },
    },
    {
      name: 'scenes',
      weight: 12,
      run: (client, random) => ask(client, withBody('POST', '/scene', mutated(Buffer.from(scene), random))),
    },
    {
      name: 'large bodies',
      weight: 1,
      run: (client, random) =>
        ask(client, withBody('POST', `/${random.pick(['scene', ...commands])}`, huge(random))),
    },
    {
      name: 'other paths',
      weight: 12,
      run: (client, random) => {
        const verb = random.pick(['GET', 'PUT', 'DELETE', 'OPTIONS', 'POST', 'PATCH']);
        const name = random.pick([
          '',
          'nothing',
          '__proto__',
          'constructor',
          '..',
          '%00',
          'scene/',
          '//',
          'scene?a=b',
          'clock',
        ]);
        return ask(client, withBody(verb, `/${name}`, random.percent(50) ? '' : bodyFor(random, name)));
      },
    },
  ];
}
