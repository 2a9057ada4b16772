import { builtInProduct } from '@azimuth/model';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { LogBook } from '@azimuth/test-support/log-book';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { factoryPassword, TestDevice } from '@azimuth/test-support/test-device';
import { expect, test } from 'vitest';
import { CredentialStore } from '../../src/access/credential-store.js';
import { FirmwareRecord } from '../../src/firmware-record.js';
import { Conditions } from '../../src/lifecycle/conditions.js';
import { OperatingCounters } from '../../src/operating-data/operating-data.js';
import { StoredState } from '../../src/parameters/stored-state.js';
import { decodeDocument, encodeDocument, UnreadableDocument } from '../../src/storage/document.js';
import { Documents } from '../../src/storage/documents.js';
import { endsAndSample, withBitFlipped } from '../samples.js';

/** Content of a document as a scanner reads it. Undefined if it was set aside. */
type Reading = (bytes: Uint8Array) => Promise<unknown>;

const testDevice = () => TestDevice.open({ passwords: factoryPassword });

async function readings() {
  const { storage, device, context, clock } = await testDevice();
  await device.features.saving.storeWorking();
  const { content } = context.state;
  const found = (name: string, bytes: Uint8Array) =>
    new Documents(new FaultyStorage(new Map([[name, bytes]])), new LogBook());
  const state: Reading = async (bytes) => {
    const read = new StoredState(found('parameters.json', bytes), () => content);
    return (await read.load(false)) === 'whole' ? read.content : undefined;
  };
  const firmware: Reading = async (bytes) => {
    const read = await FirmwareRecord.load(found('firmware.json', bytes), false, builtInProduct, undefined);
    return read.lost ? undefined : [read.firmware.release, read.firmware.createdWith];
  };
  const credentials: Reading = async (bytes) => {
    const store = await CredentialStore.open({
      product: builtInProduct,
      documents: found('credentials.json', bytes),
      random: new SeededRandom(),
      conditions: new Conditions(() => undefined),
      isUsed: async () => false,
      log: new LogBook(),
    });
    if (store.locked) return undefined;
    return [store.content.nonceKey, store.content.rest];
  };
  const counters: Reading = async (bytes) => {
    const { counters, found: state } = await OperatingCounters.load(
      found('operating.json', bytes),
      clock,
      new LogBook(),
    );
    return state === 'whole' ? [counters.powerOnCount, counters.tenthsOfHours] : undefined;
  };
  const bytesOf = (name: string) => storage.documents.get(name) ?? new Uint8Array();
  return { state, credentials, counters, firmware, whole: bytesOf };
}

const documents = [
  ['parameters.json', 'state'],
  ['credentials.json', 'credentials'],
  ['operating.json', 'counters'],
  ['firmware.json', 'firmware'],
] as const;

test.each(documents)('%s cut off is set aside', async (name, reader) => {
  const { whole, [reader]: read } = await readings();
  const bytes = whole(name);
  const expected = await read(bytes);
  expect(expected).toBeDefined();
  let detected = 0;
  const lengths = endsAndSample(bytes.length, 100, 61);
  for (const length of lengths) {
    if ((await read(bytes.subarray(0, length))) === undefined) detected++;
  }
  expect(detected).toBe(lengths.length);
});

test.each(documents)('%s with a bit flipped is set aside', async (name, reader) => {
  const { whole, [reader]: read } = await readings();
  const bytes = whole(name);
  let detected = 0;
  const bits = endsAndSample(bytes.length * 8, 400, 509);
  for (const bit of bits) if ((await read(withBitFlipped(bytes, bit))) === undefined) detected++;
  expect(detected).toBe(bits.length);
});

/** Documents with values that can be written in several ways. */
const manyWays = encodeDocument({
  huge: 1e21,
  tiny: 1e-7,
  sum: 0.1 + 0.2,
  text: 'a\u0001 b',
  list: [],
  of: {},
});

test('every flipped bit is noticed, also where the value stays the same', () => {
  for (let bit = 0; bit < manyWays.length * 8; bit++) {
    expect(() => decodeDocument(withBitFlipped(manyWays, bit)), `bit ${bit}`).toThrow(UnreadableDocument);
  }
});

test('512 bytes of zeros, blanks or anything else are noticed wherever they are', () => {
  const bytes = Buffer.from(
    encodeDocument({
      parameters: Object.fromEntries(Array.from({ length: 99 }, (_, of) => [`p${of}`, [of]])),
    }),
  );
  for (const fill of [0x00, 0x20, 0x0a, 0x22, 0x30, 0xff]) {
    for (let at = 0; at < bytes.length; at += 7) {
      const damaged = Buffer.from(bytes).fill(fill, at, Math.min(at + 512, bytes.length));
      if (damaged.equals(bytes)) continue;
      expect(() => decodeDocument(damaged), `${fill} at ${at}`).toThrow(UnreadableDocument);
    }
  }
});

test('a document that was written in another way by a person keeps its content only without its checksum', () => {
  const text = manyWays.toString();
  expect(() => decodeDocument(Buffer.from(text.replaceAll('\n', '')))).toThrow('not those that were written');
  const edited = text.replace(/ *"checksum".*\n/, '').replaceAll('\n', '');
  expect(decodeDocument(Buffer.from(edited))).toMatchObject({ huge: 1e21 });
});

test('a document comes back as it was given', () => {
  const content = { name: 'Gäte ☃ 😀', list: [1, 2.5, { deep: null }], yes: true, empty: {} };
  expect(decodeDocument(encodeDocument(content))).toEqual(content);
});

test('a document is JSON that a person can read', () => {
  const text = Buffer.from(encodeDocument({ name: 'Gate 3' })).toString();
  expect(JSON.parse(text)).toMatchObject({ format: 1, name: 'Gate 3' });
  expect(text).toContain('\n  "name": "Gate 3"\n');
});

test('a document edited by hand, its checksum taken out, is read', () => {
  expect(decodeDocument(Buffer.from('{"format":1,"name":"Gate 4"}'))).toEqual({ name: 'Gate 4' });
});

test.each([
  ['', 'not JSON'],
  ['{', 'not JSON'],
  ['[]', 'not a JSON object'],
  ['null', 'not a JSON object'],
  ['{}', 'expected format 1'],
  ['{"format":2}', 'expected format 1'],
  ['{"format":1,"checksum":"","a":1}', 'the checksum does not match the content'],
  ['{"format":1,"checksum":null,"a":1}', 'the checksum does not match the content'],
])('the document "%s" is unreadable: %s', (text, reason) => {
  const reading = () => decodeDocument(Buffer.from(text));
  expect(reading).toThrow(UnreadableDocument);
  expect(reading).toThrow(reason);
});

test('a document whose checksum has another name is unreadable: that is how a flipped bit may leave it', () => {
  const text = Buffer.from(encodeDocument({ a: 1, b: 'c' }))
    .toString()
    .replace('checksum', 'cheaksum');
  expect(() => decodeDocument(Buffer.from(text))).toThrow('the checksum is for a document of another name');
});

test('bytes that are no UTF-8 are unreadable, and not repaired', () => {
  const bytes = Buffer.concat([Buffer.from('{"format":1,"a":"'), Buffer.from([0xff]), Buffer.from('"}')]);
  expect(() => decodeDocument(bytes)).toThrow(UnreadableDocument);
});

const whole = {
  saved: { date: '01.01.2026', time: '00:00' },
  webserverEnabled: true,
  userLevels: { Maintenance: true, AuthorizedClient: true, Service: true },
  legacyUserLevels: { Maintenance: true, AuthorizedClient: true, Service: true },
  parameters: {},
};

test.each([
  [{ saved: { date: '01.01.2026' } }],
  [{ webserverEnabled: 'yes' }],
  [{ userLevels: { Maintenance: true, Service: true } }],
  [{ legacyUserLevels: [] }],
  [{ parameters: [] }],
])('a stored state with %j is set aside', async (wrong) => {
  const storage = new FaultyStorage(new Map([['parameters.json', encodeDocument({ ...whole, ...wrong })]]));
  const log = new LogBook();
  const state = new StoredState(new Documents(storage, log), () => ({
    ...whole,
    parameters: { LocationName: 'fresh' },
  }));
  expect(await state.load(false)).toBe('lost');
  expect(state.content.parameters).toEqual({ LocationName: 'fresh' });
  expect(log.errors[0]?.facts).toMatchObject({ setAside: expect.stringContaining('parameters.json') });
});
