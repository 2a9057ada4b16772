import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../tests/support/files.js';
import { DamagedJournal, Journal } from '../../src/store/journal.js';

const bytesOf = (text: string) => Buffer.from(text);

async function opened(path: string) {
  const headers: unknown[] = [];
  const places: number[] = [];
  const journal = await Journal.open(path, (header, place) => {
    headers.push(header);
    places.push(place);
  });
  return { journal, headers, places };
}

/** What a journal holds. */
async function held(path: string) {
  const { journal, headers, places } = await opened(path);
  await journal.close();
  return { headers, places };
}

/** A journal with the records 0, 1 and 2, closed. */
async function written(): Promise<string> {
  const path = join(temporaryFolder(), 'journal');
  const { journal } = await opened(path);
  for (const number of [0, 1, 2])
    await journal.append({ header: { number }, bytes: bytesOf(`bytes ${number}`) });
  await journal.close();
  return path;
}

test('records are found again in their order, with their bytes', async () => {
  const { journal, headers, places } = await opened(await written());
  expect(headers).toEqual([{ number: 0 }, { number: 1 }, { number: 2 }]);
  const bytes = await Promise.all(places.map((place) => journal.read(place, 7)));
  expect(bytes.map(String)).toEqual(['bytes 0', 'bytes 1', 'bytes 2']);
  await journal.close();
});

test('only its owner can read it', async () => {
  expect(statSync(await written()).mode & 0o777).toBe(0o600);
});

test('a record that is appended is found where `append` says', async () => {
  const { journal } = await opened(await written());
  const places = await Promise.all(
    ['a', 'bb', 'ccc'].map((text) => journal.append({ header: { text }, bytes: bytesOf(text) })),
  );
  const read = await Promise.all(places.map((place, index) => journal.read(place, index + 1)));
  expect(read.map(String)).toEqual(['a', 'bb', 'ccc']);
  await journal.close();
});

test('records that are appended at the same time share one wait for the disk', async () => {
  const { journal } = await opened(join(temporaryFolder(), 'journal'));
  const append = (number: number) => journal.append({ header: { number }, bytes: bytesOf('') });
  await append(0);
  expect(journal.writes).toBe(1);
  await Promise.all(Array.from({ length: 200 }, (_, number) => append(number)));
  expect(journal.writes).toBe(2);
  await journal.close();
});

test('of a record that a power cut has torn, nothing remains, and the next one takes its place', async () => {
  const path = await written();
  const whole = readFileSync(path).length;
  const { places } = await held(path);
  const secondEnds = (places[1] ?? 0) + 7;
  for (let length = secondEnds; length < whole; length++) {
    const torn = `${path}-${length}`;
    copyFileSync(path, torn);
    truncateSync(torn, length);
    const first = await opened(torn);
    expect(first.headers, `${length} bytes`).toEqual([{ number: 0 }, { number: 1 }]);
    await first.journal.append({ header: { number: 'new' }, bytes: bytesOf('') });
    await first.journal.close();
    expect((await held(torn)).headers).toEqual([{ number: 0 }, { number: 1 }, { number: 'new' }]);
  }
});

test('zeros that a power cut has left behind the last record are dropped', async () => {
  const path = await written();
  appendFileSync(path, Buffer.alloc(40));
  expect((await held(path)).headers).toHaveLength(3);
});

test('a record whose length is damaged is an error, and no record behind it is lost', async () => {
  const path = await written();
  const { places } = await held(path);
  const content = readFileSync(path);
  // The highest byte of its length: it would be longer than any record.
  content[(places[1] ?? 0) - 12 - '{"number":1}'.length + 3] = 0xff;
  writeFileSync(path, content);
  await expect(opened(path)).rejects.toThrow(DamagedJournal);
  expect(readFileSync(path)).toEqual(content);
});

test('a damaged record in the middle is an error that names the file and the place', async () => {
  const path = await written();
  const { places } = await held(path);
  const content = readFileSync(path);
  const at = places[1] ?? 0;
  content[at] = (content[at] ?? 0) ^ 1;
  writeFileSync(path, content);
  const opening = opened(path);
  await expect(opening).rejects.toThrow(DamagedJournal);
  await expect(opening).rejects.toThrow(`${path} is damaged at byte ${at - 12 - '{"number":1}'.length}`);
  expect(readFileSync(path)).toEqual(content);
});

test('a journal is replaced by one of other records', async () => {
  const path = await written();
  const { journal } = await opened(path);
  const next = await journal.replaced([{ header: { number: 9 }, bytes: bytesOf('nine') }], () => undefined);
  await next.append({ header: { number: 10 }, bytes: bytesOf('') });
  await next.close();
  expect((await held(path)).headers).toEqual([{ number: 9 }, { number: 10 }]);
});

test('a journal that could not be replaced goes on, and leaves nothing of the other one', async () => {
  const path = await written();
  const { journal } = await opened(path);
  async function* failing() {
    yield { header: { number: 9 }, bytes: bytesOf('nine') };
    throw new Error('the disk is full');
  }
  await expect(journal.replaced(failing(), () => undefined)).rejects.toThrow('the disk is full');
  expect(existsSync(`${path}.new`)).toBe(false);
  await journal.append({ header: { number: 3 }, bytes: bytesOf('') });
  await journal.close();
  expect((await held(path)).headers).toEqual([0, 1, 2, 3].map((number) => ({ number })));
});

test('nothing is appended any more to a journal that was replaced, and whose successor cannot be opened', async () => {
  const path = await written();
  const { journal } = await opened(path);
  const fail = () => {
    throw new Error('too many open files');
  };
  await expect(journal.replaced([{ header: {}, bytes: bytesOf('') }], fail)).rejects.toThrow('too many');
  await expect(journal.append({ header: {}, bytes: bytesOf('') })).rejects.toThrow('too many open files');
  await journal.close();
});
