import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSession, SessionWriter } from '../../src/session/index.js';
import { Timeline, type TimelineEntry } from '../../src/timeline/index.js';

const facts = { target: 'http://192.168.0.1', failed: (error: Error) => expect.unreachable(error.message) };

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'azimuth-session-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const bytes = Buffer.of(0, 255, 1);
const entries: readonly TimelineEntry[] = [
  {
    kind: 'request',
    at: 1,
    id: 1,
    method: 'POST',
    path: '/api/X',
    headers: ['a', 'b'],
    body: Buffer.from('{"data":1}'),
  },
  { kind: 'response', at: 2, id: 1, status: 200, headers: [], body: bytes },
  { kind: 'response', at: 2, id: 2, status: undefined, headers: [], body: Buffer.of(), isBrokenOff: true },
  {
    kind: 'request',
    at: 3,
    id: 3,
    method: 'PUT',
    path: '/api/f',
    headers: [],
    body: Buffer.of(),
    unkept: { length: 9, sha256: 'ab' },
  },
  { kind: 'opened', at: 4, connection: 1, protocol: 'events', path: '/apievents', isCompressed: true },
  { kind: 'event', at: 5, connection: 1, path: '/x/scan', direction: 'from scanner', message: bytes },
  { kind: 'event', at: 5, connection: 1, path: '/apievents', direction: 'to scanner', message: 'ü' },
  { kind: 'legacy', at: 6, connection: 2, framing: 'binary', direction: 'to scanner', bytes },
  { kind: 'closed', at: 7, connection: 1, protocol: 'events', direction: 'from scanner', code: 1002 },
  { kind: 'finding', at: 8, of: 'a', where: 'b', expected: 'c', came: 'd' },
  { kind: 'fault', at: 9, fault: 'http-reset', on: 'GET /api/X' },
];

async function recorded(): Promise<string> {
  const path = join(await emptyFolder(), 'a.session');
  const timeline = new Timeline();
  const writer = await SessionWriter.open(path, timeline, facts);
  for (const entry of entries) timeline.add(entry);
  timeline.add({ kind: 'telegram', at: 9, stream: 'scan', from: '', to: '', bytes });
  await writer.close();
  timeline.add({ kind: 'fault', at: 10, fault: 'late', on: 'the end' });
  return path;
}

test('a session has every entry but telegrams of data streams', async () => {
  const { head, entries: read, isCut } = await readSession(await recorded());
  expect([head.target, isCut]).toEqual(['http://192.168.0.1', false]);
  expect(read).toEqual(entries);
});

test('a file that is cut anywhere has all complete lines', async () => {
  const path = await recorded();
  const content = await readFile(path);
  const second = content.indexOf('\n', content.indexOf('\n') + 1);
  for (const length of [second - 1, second + 1, second + 20]) {
    await writeFile(path, content.subarray(0, length));
    const { entries: read, isCut } = await readSession(path);
    expect([read.length, isCut]).toEqual([length < second ? 0 : 1, length !== second + 1]);
  }
});

test('a file is not overwritten', async () => {
  await expect(SessionWriter.open(await recorded(), new Timeline(), facts)).rejects.toThrow('EEXIST');
});

test.each([
  ['nothing', 'expected a JSON object, got other text'],
  ['[]', 'expected a JSON object, got an array of 0'],
  ['{"at":-1}', '"at": expected a whole number from 0 on, got -1'],
  ['{"at":1,"kind":"__proto__"}', '"kind": expected request, response, event'],
  [
    '{"at":1,"kind":"legacy","connection":1,"framing":"text","direction":"to scanner","bytes":{"base64":1}}',
    '"bytes": expected a string, or { "base64": … }, got an object',
  ],
  [
    '{"at":1,"kind":"request","id":1,"method":"GET","path":"/","headers":[1],"body":""}',
    '"headers": expected an array of strings',
  ],
  [
    '{"at":1,"kind":"response","id":1,"status":200,"headers":["a","b\\r\\nc: d"],"body":""}',
    'Invalid character in header content ["a"]',
  ],
])('the line %s is refused with its number and place', async (line, reason) => {
  const path = await recorded();
  await appendFile(path, `${line}\n`);
  await expect(readSession(path)).rejects.toThrow(`${path}, line ${entries.length + 2}: ${reason}`);
});
