import type { SeededRandom } from '@azimuth/test-support/seeded-random';
import type { FuzzClient } from './fuzz-client.js';
import type { Category } from './fuzz-run.js';
import { type Judge, outcomesOf } from './oracle.js';
import { get, post } from './requests.js';

/** Cuts bytes at this many random places. */
export function cut(bytes: Buffer, places: number, random: SeededRandom): Buffer[] {
  const ends = Array.from({ length: places }, () => random.below(bytes.length + 1)).toSorted((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

const foreign = [
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from('16030100c8010000c40303', 'hex'),
  Buffer.from('\u0002sRN DeviceIdent\u0003'),
  Buffer.from('02020202000000047352490020', 'hex'),
  Buffer.from('SSH-2.0-OpenSSH_9.2\r\n'),
  Buffer.from('\r\n\r\n\r\n'),
  Buffer.alloc(70_000, 'A'),
];

function noise(random: SeededRandom): Buffer {
  if (random.percent(30)) return random.pick(foreign);
  const bytes = random.bytes(random.pick([0, 1, 2, 16, 200, 4096]));
  // ASCII gets further into a parser than arbitrary bytes.
  return random.percent(50) ? Buffer.from(bytes.map((byte) => byte & 0x7f)) : bytes;
}

// Not HEAD: its reply has a Content-Length but no body.
const tokens = [
  ...[
    'GET ',
    'POST ',
    'OPTIONS * ',
    'CONNECT scanner:80 ',
    'TRACE / ',
    ' HTTP/1.0',
    ' HTTP/1.1',
    ' HTTP/9.9',
  ],
  ...[
    '\r\n',
    '\n',
    '\r',
    '\r\n\r\n',
    ' ',
    '\t',
    '\0',
    ':',
    '%00',
    '%',
    '?',
    '#',
    '..',
    '//',
    'http://a/',
    '\x80\xff',
  ],
  ...['Content-Length: 0\r\n', 'Content-Length: -1\r\n', 'Content-Length: 99999999999999999999\r\n'],
  ...[
    'Content-Length: 5\r\nContent-Length: 6\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding: x\r\n',
  ],
  ...['Transfer-Encoding: gzip, chunked\r\n', 'Content-Encoding: gzip\r\n', 'Expect: 100-continue\r\n'],
  ...[
    'Expect: tea\r\n',
    'Upgrade: websocket\r\nConnection: Upgrade\r\n',
    'Connection: close\r\n',
    'Host: a\r\nHost: b\r\n',
  ],
  ...[
    ': nothing\r\n',
    'a b: c\r\n',
    ' folded: yes\r\n',
    `X-Long: ${'x'.repeat(20_000)}\r\n`,
    '0\r\n\r\n',
    'fffffffff\r\n',
  ],
  ...[
    'X: y\r\n'.repeat(2100),
    `/${'a'.repeat(9000)}`,
    'Keep-Alive: timeout=0\r\n',
    '__proto__: 1\r\n',
    '-1\r\n',
  ],
];

/** Changes bytes in one to four places. */
export function mutated(original: Buffer, random: SeededRandom): Buffer {
  let bytes = original;
  for (let times = random.between(1, 4); times > 0; times--) {
    const at = random.below(bytes.length + 1);
    const end = Math.min(bytes.length, at + random.pick([1, 1, 2, 8, 40]));
    const [before, piece, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
    switch (random.below(5)) {
      case 0:
        bytes = Buffer.concat([before, after]);
        break;
      case 1:
        bytes = Buffer.concat([before, random.bytes(piece.length), after]);
        break;
      case 2:
        bytes = Buffer.concat([before, piece, piece, after]);
        break;
      default:
        bytes = Buffer.concat([before, Buffer.from(random.pick(tokens), 'latin1'), piece, after]);
    }
  }
  return bytes;
}

const valid: readonly Buffer[] = [
  get('/api/LocationName'),
  get('/x/stored'),
  get('/healthz'),
  get('/nothing?a=b'),
  post('LocationName', '{"data":{"LocationName":"a"}}'),
  post('getChallenge', '{"data":{"user":"Service"}}', ['Content-Type: application/json', 'Accept: */*']),
  Buffer.concat([get('/api/DeviceIdent'), post('GetWebserverEnabled', ''), get('/api/DeviceStatus')]),
];

/** Sends bytes in some parts and ends the stream. The scanner then has to close the connection. */
async function deliver(client: FuzzClient, bytes: Buffer, random: SeededRandom, judge?: Judge) {
  const connection = await client.open();
  const parts = cut(bytes, random.pick([0, 0, 1, 3]), random);
  client.latest = parts;
  await connection.send(...parts);
  connection.finish();
  return outcomesOf(await connection.replies(), judge);
}

/** Random bytes, changed requests and requests that break off. */
export function brokenRequests(requests: readonly Buffer[], judge?: Judge): readonly Category[] {
  return [
    {
      name: 'random bytes',
      weight: 10,
      run: (client, random) => deliver(client, noise(random), random, judge),
    },
    {
      name: 'mutated requests',
      weight: 30,
      run: (client, random) => deliver(client, mutated(random.pick(requests), random), random, judge),
    },
    {
      name: 'broken off',
      weight: 8,
      run: async (client, random) => {
        const connection = await client.open();
        const bytes = random.pick(requests);
        const part = bytes.subarray(0, random.below(bytes.length + 1));
        client.latest = [part];
        await connection.send(part);
        connection.reset();
        return ['closed'];
      },
    },
  ];
}

export const bytesAtTheSocket = brokenRequests(valid);
