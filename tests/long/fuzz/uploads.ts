import { object, parse } from '@azimuth/test-support/json';
import type { SeededRandom } from '@azimuth/test-support/seeded-random';
import { brokenRequests, mutated } from './bytes-at-the-socket.js';
import type { FuzzClient } from './fuzz-client.js';
import type { Category } from './fuzz-run.js';
import type { HttpReply } from './http-connection.js';
import { judge, type Outcome, statusOf } from './oracle.js';
import { inChunks, withBody } from './requests.js';

const boundary = 'az';

/** A form with this file as its only part, as browsers send it. */
function form(content: Buffer, name = 'datei', more = ''): Buffer {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="a.bin"\r\n${more}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), content, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

const formType = `Content-Type: multipart/form-data; boundary=${boundary}`;

/** Content types with and without a usable boundary. */
const types = [
  formType,
  'Content-Type: multipart/form-data',
  'Content-Type: multipart/form-data; boundary=',
  `Content-Type: multipart/form-data; boundary="${boundary}"; boundary=b`,
  `Content-Type: multipart/form-data; boundary=${'x'.repeat(5000)}`,
  `Content-Type: multipart/mixed; boundary=${boundary}`,
  `Content-Type: MULTIPART/form-data; boundary=${boundary}; charset=utf-7`,
  'Content-Type: application/x-www-form-urlencoded',
  'Content-Type: \xff',
];

const parts = [
  '',
  'Content-Type: application/octet-stream\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  'Content-Disposition: form-data\r\n',
  `X-Long: ${'x'.repeat(20_000)}\r\n`,
  'no header\r\n',
  '\0: \0\r\n',
  ' folded\r\n',
];

/**
 * Checks what holds for every reply to an upload; undefined for a reply without a status.
 * @throws if the scanner has misbehaved
 */
export function judgeUpload(reply: HttpReply): number | undefined {
  if (reply.status !== 503) return judge(reply);
  const { status } = object(object(parse(reply.body)).header);
  if (status !== 3 || !reply.headers.has('retry-after')) throw new Error(`HTTP 503: ${reply.body}`);
  return 3;
}

async function send(client: FuzzClient, request: Buffer): Promise<Outcome> {
  return judgeUpload(await client.request(request)) ?? 'page';
}

/** Valid files. */
interface ValidFiles {
  readonly backup: Buffer;
  readonly firmware: Buffer;
}

/** Inputs for the endpoints that take files. */
export function uploadCategories({ backup, firmware }: ValidFiles): readonly Category[] {
  const spoiled = (file: Buffer, random: SeededRandom) =>
    random.percent(15) ? random.bytes(random.pick([0, 1, 40, 3000])) : mutated(file, random);
  const backups = '/api/parameterbackup';
  const verb = (random: SeededRandom) => random.pick(['PUT', 'POST']);
  const ends = (body: Buffer, random: SeededRandom) =>
    Array.from({ length: random.below(6) }, () => random.below(body.length + 1));
  return [
    ...brokenRequests(
      [
        withBody('PUT', backups, backup),
        withBody('POST', backups, form(backup), [formType]),
        withBody('PUT', '/api/update', 'firmware'),
        inChunks('PUT', backups, backup, [5, 100]),
      ],
      judgeUpload,
    ),
    {
      name: 'backups',
      weight: 20,
      run: async (client, random) => {
        const sent = await send(client, withBody(verb(random), backups, spoiled(backup, random)));
        if (!random.percent(20)) return [sent];
        return [sent, statusOf(await client.authorized('RestoreParameterBackup', '{}'))];
      },
    },
    {
      name: 'forms',
      weight: 50,
      run: async (client, random) => {
        const content = random.percent(50) ? spoiled(backup, random) : random.bytes(random.below(60));
        const whole = form(
          content,
          random.pick(['datei', 'datei', 'a', '', '__proto__']),
          random.pick(parts),
        );
        const several = random.percent(10) ? Array<Buffer>(random.pick([2, 17, 300])).fill(whole) : [whole];
        const body = random.percent(50) ? Buffer.concat(several) : mutated(Buffer.concat(several), random);
        return [await send(client, withBody(verb(random), backups, body, [random.pick(types)]))];
      },
    },
    {
      name: 'chunked files',
      weight: 20,
      run: async (client, random) => {
        const isForm = random.percent(50);
        const body = isForm ? form(spoiled(backup, random)) : spoiled(backup, random);
        const facts = { extension: random.pick(['', ';a=b']), headers: isForm ? [formType] : [] };
        return [await send(client, inChunks(verb(random), backups, body, ends(body, random), facts))];
      },
    },
    {
      name: 'firmware',
      weight: 12,
      run: async (client, random) => {
        const sent = await send(client, withBody('PUT', '/api/update', spoiled(firmware, random)));
        if (!random.percent(20)) return [sent];
        return [sent, statusOf(await client.authorized('RunFirmwareUpdate', undefined))];
      },
    },
    {
      name: 'wrong lengths',
      weight: 8,
      run: async (client, random) => {
        const connection = await client.open();
        const [path, tooMany] = random.pick([
          [backups, '16777217'] as const,
          ['/api/update', '104857601'] as const,
        ]);
        const length = random.pick([tooMany, '99999999999999999999', '-1', '1e3', '0x10', '5, 6']);
        const bytes = Buffer.from(
          `PUT ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\nsome`,
        );
        client.latest = [bytes];
        await connection.send(bytes);
        const reply = await connection.reply();
        connection.reset();
        return [reply === undefined ? 'closed' : (judgeUpload(reply) ?? 'page')];
      },
    },
  ];
}
