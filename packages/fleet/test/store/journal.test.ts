import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { temporaryFolder } from '@azimuth/test-support/files';
import { afterEach, expect, test, vi } from 'vitest';
import { ForeignJournal, type FoundRecord, Journal } from '../../src/store/journal.js';
import { encodeRecord, headBytes, newSalt } from '../../src/store/journal-bytes.js';

afterEach(() => {
  vi.restoreAllMocks();
});

const bytesOf = (text: string) => Buffer.from(text);

async function opened(path: string) {
  const records: FoundRecord[] = [];
  const journal = await Journal.open(path, (record) => records.push(record));
  const headers = records.map(({ header }) => header);
  const offsets = records.map(({ offset }) => offset);
  return { journal, records, headers, offsets };
}

/** Returns the content of a journal. */
async function held(path: string) {
  const { journal, headers, offsets } = await opened(path);
  await journal.close();
  return { headers, offsets };
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
  const { journal, headers, offsets } = await opened(await written());
  expect(headers).toEqual([{ number: 0 }, { number: 1 }, { number: 2 }]);
  const bytes = await Promise.all(offsets.map((offset) => journal.read(offset, 7)));
  expect(bytes.map(String)).toEqual(['bytes 0', 'bytes 1', 'bytes 2']);
  await journal.close();
});

test('only its owner can read it', async () => {
  expect(statSync(await written()).mode & 0o777).toBe(0o600);
});

test('a record that is appended is found where `append` says', async () => {
  const { journal } = await opened(await written());
  const offsets = await Promise.all(
    ['a', 'bb', 'ccc'].map((text) => journal.append({ header: { text }, bytes: bytesOf(text) })),
  );
  const read = await Promise.all(offsets.map((offset, index) => journal.read(offset, index + 1)));
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
  const [, , [from] = [0]] = await extents(path);
  for (let length = from; length < whole; length += 11) {
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

/** Returns the records in a journal of these bytes. */
async function foundIn(content: Uint8Array) {
  const path = join(temporaryFolder(), 'journal');
  writeFileSync(path, content);
  const { journal, records } = await opened(path);
  const { damages } = journal;
  const whole = [];
  for (const { header, offset, areBytesIntact } of records)
    if (areBytesIntact) whole.push([header.number, String(await journal.read(offset, 7))]);
  await journal.close();
  return { damages, whole, records: records.map(({ header }) => header.number), size: statSync(path).size };
}

/** Returns the extent of each of the three records. */
async function extents(path: string): Promise<readonly (readonly [number, number])[]> {
  const third = (readFileSync(path).length - headBytes) / 3;
  return [0, 1, 2].map((number) => [headBytes + number * third, headBytes + (number + 1) * third] as const);
}

const all = [0, 1, 2].map((number) => [number, `bytes ${number}`]);

test('a single bit that flips is found with its record, and no other record is lost', async () => {
  const path = await written();
  const content = readFileSync(path);
  const [, [from, to] = [0, 0]] = await extents(path);
  for (let at = 0; at < content.length; at += 7) {
    const damaged = Buffer.from(content);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
    const number = at < headBytes ? undefined : at < from ? 0 : at < to ? 1 : 2;
    const { damages, whole, records, size } = await foundIn(damaged);
    expect(
      damages.map(({ header }) => header?.number),
      `byte ${at}`,
    ).toEqual([number]);
    expect(records).toEqual([0, 1, 2]);
    expect(size).toBe(content.length);
    const isLost = whole.length < 3;
    expect(whole, `byte ${at}`).toEqual(isLost ? all.filter(([other]) => other !== number) : all);
  }
});

test.each([0x00, 0xff, 0x20])(
  'a sector of bytes %i is found wherever it is, with each record that it hits',
  async (fill) => {
    const path = await written();
    const content = readFileSync(path);
    const offsets = await extents(path);
    for (let at = 0; at < content.length; at += 17) {
      const until = Math.min(content.length, at + 512);
      const damaged = Buffer.from(content).fill(fill, at, until);
      if (damaged.equals(content)) continue;
      const isHead = !damaged.subarray(0, headBytes).equals(content.subarray(0, headBytes));
      const hit = offsets.flatMap(([from, to], number) =>
        damaged.subarray(from, to).equals(content.subarray(from, to)) ? [] : [number],
      );
      const { damages, records, whole } = await foundIn(damaged);
      expect(
        damages.map(({ header }) => header?.number),
        `byte ${at}`,
      ).toEqual([...(isHead ? [undefined] : []), ...hit]);
      expect(records).toEqual([0, 1, 2]);
      for (const each of whole) expect(all).toContainEqual(each);
    }
  },
);

test('a sector of another place in the journal is found, too', async () => {
  const path = await written();
  const content = readFileSync(path);
  for (let at = 0; at + 512 <= content.length; at += 61) {
    for (let from = 0; from + 512 <= content.length; from += 193) {
      const damaged = Buffer.from(content);
      content.copy(damaged, at, from, from + 512);
      if (damaged.equals(content)) continue;
      const { damages, records } = await foundIn(damaged);
      expect(damages.length, `${from} at ${at}`).toBeGreaterThan(0);
      expect(damages.every(({ header }) => header !== undefined)).toBe(true);
      expect(records).toEqual([0, 1, 2]);
    }
  }
});

test('a part in which whole records are lost is found, and the records around it are read', async () => {
  const path = await written();
  const content = readFileSync(path);
  const [, [from, to] = [0, 0]] = await extents(path);
  const inTheMiddle = await foundIn(Buffer.from(content).fill(0xff, from, to));
  expect(inTheMiddle.damages).toEqual([{ from, to, header: undefined }]);
  expect(inTheMiddle.whole).toEqual([all[0], all[2]]);
  const atTheEnd = await foundIn(Buffer.from(content).fill(0xff, to));
  expect(atTheEnd.damages).toEqual([{ from: to, to: content.length, header: undefined }]);
  expect(atTheEnd.whole).toEqual([all[0], all[1]]);
  expect(atTheEnd.size).toBe(content.length);
});

test('a frame that a power cut has torn, with zeros where the rest would have come, is no damage', async () => {
  const path = await written();
  const content = readFileSync(path);
  const [, , [from] = [0]] = await extents(path);
  for (const bytes of [0, 1, 13, 14, 20, 33, 37]) {
    const { damages, whole } = await foundIn(Buffer.from(content).fill(0, from + bytes));
    expect(damages, `${bytes} bytes`).toEqual([]);
    expect(whole).toEqual([all[0], all[1]]);
  }
});

test('bytes of a document are never a record, even if a client has put records into it and the frame before is lost', async () => {
  const path = join(temporaryFolder(), 'journal');
  const { journal } = await opened(path);
  // Its header is as long as that of the record that holds it, and both are at the end of the file for the client.
  const offset = await journal.append({ header: { number: 0 }, bytes: bytesOf('bytes 0') });
  const next = journal.size + (offset - headBytes);
  const { encoded: forged } = encodeRecord(
    { header: { number: 6 }, bytes: bytesOf('forged!') },
    next,
    newSalt(),
  );
  expect(await journal.append({ header: { number: 1 }, bytes: forged })).toBe(next);
  await journal.append({ header: { number: 2 }, bytes: bytesOf('bytes 2') });
  await journal.close();
  const content = readFileSync(path);
  const at = next - (offset - headBytes);
  for (const until of [at + 4, next]) {
    const { records, damages } = await foundIn(Buffer.from(content).fill(0xff, at, until));
    expect(records).toEqual([0, 1, 2]);
    expect(damages).toHaveLength(1);
  }
});

test('a head whose first half is of another journal is damaged, and all records are read', async () => {
  const path = await written();
  const content = readFileSync(path);
  readFileSync(await written()).copy(content, 0, 0, 512);
  const { damages, whole } = await foundIn(content);
  expect(damages).toEqual([{ from: 0, to: headBytes, header: {} }]);
  expect(whole).toEqual(all);
});

test('a journal whose head is lost in both places is kept, and takes nothing until it is replaced', async () => {
  const path = await written();
  const content = readFileSync(path).fill(0xff, 0, headBytes);
  writeFileSync(path, content);
  const { journal, headers } = await opened(path);
  expect(headers).toEqual([]);
  expect(journal.damages).toEqual([{ from: 0, to: content.length, header: undefined }]);
  await expect(journal.append({ header: {}, bytes: bytesOf('') })).rejects.toThrow('head');
  expect(readFileSync(path)).toEqual(content);
  const next = await journal.replaced([{ header: { number: 9 }, bytes: bytesOf('nine') }], () => undefined);
  await next.append({ header: { number: 10 }, bytes: bytesOf('') });
  await next.close();
  expect((await held(path)).headers).toEqual([{ number: 9 }, { number: 10 }]);
});

/** Lets reads of a part of any file fail. */
async function failReads(path: string, from: number, to: number): Promise<void> {
  const file = await open(path);
  const prototype = Object.getPrototypeOf(file);
  const { read } = prototype;
  await file.close();
  vi.spyOn(prototype, 'read').mockImplementation(function (this: unknown, ...given: unknown[]) {
    const [, , length, at] = given.map(Number);
    if (Number(at) < to && Number(at) + Number(length) > from)
      throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
    return read.apply(this, given);
  });
}

test('blocks that the disk does not give are damage, and the records around them are read', async () => {
  const path = join(temporaryFolder(), 'journal');
  const { journal } = await opened(path);
  for (let number = 0; number < 30; number++)
    await journal.append({ header: { number }, bytes: Buffer.alloc(1000, number) });
  await journal.close();
  await failReads(path, 10_000, 10_001);
  const again = await opened(path);
  await again.journal.close();
  const found = again.records
    .filter(({ areBytesIntact }) => areBytesIntact)
    .map(({ header }) => header.number);
  expect(found).toContain(0);
  expect(found).toContain(29);
  expect(found.length).toBeLessThan(30);
  expect(found.length).toBeGreaterThan(22);
  expect(again.journal.damages.length).toBeGreaterThan(0);
  expect(again.journal.damages.every(({ from, to }) => from < 12_288 && to > 8192)).toBe(true);
});

test('a journal of which the disk gives nothing is not damaged: the disk may be away', async () => {
  const path = await written();
  const content = readFileSync(path);
  await failReads(path, 0, content.length);
  await expect(opened(path)).rejects.toThrow('EIO');
  expect(readFileSync(path)).toEqual(content);
});

test('a journal of an older version is refused, and stays as it is', async () => {
  const path = join(temporaryFolder(), 'journal');
  const payload = Buffer.from('\x02\0\0\0{}bytes', 'latin1');
  const old = Buffer.alloc(8 + payload.length);
  payload.copy(old, 8);
  old.writeUInt32LE(payload.length - 4, 0);
  old.writeUInt32LE(crc32(payload), 4);
  writeFileSync(path, old);
  await expect(opened(path)).rejects.toThrow(ForeignJournal);
  expect(readFileSync(path)).toEqual(old);
});

test('a damaged journal is kept under another name beside the one that takes its place', async () => {
  const path = await written();
  const content = readFileSync(path);
  const { journal } = await opened(path);
  const aside = await journal.setAside();
  const next = await journal.replaced([{ header: { number: 9 }, bytes: bytesOf('nine') }], () => undefined);
  await next.close();
  expect(aside).toMatch(/^journal\.unreadable-/);
  expect(readFileSync(join(dirname(path), aside))).toEqual(content);
  expect(statSync(join(dirname(path), aside)).mode & 0o777).toBe(0o600);
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

test('a record that is longer than any that is read is not written', () => {
  const bytes = new Uint8Array(256 * 1024 * 1024);
  expect(() => encodeRecord({ header: {}, bytes }, 0, newSalt())).toThrow(
    /expected a record of at most 268435456 bytes, got 268435\d{3}/,
  );
});
