import { expect, test } from 'vitest';
import { FaultyStorage } from '../../../../tests/support/faulty-storage.js';
import { LogBook } from '../../../../tests/support/log-book.js';
import { SeededRandom } from '../../../../tests/support/seeded-random.js';
import { factoryPassword, TestDevice } from '../../../../tests/support/test-device.js';
import { CredentialStore } from '../../src/access/credential-store.js';
import { FirmwareRecord } from '../../src/firmware-record.js';
import { OperatingCounters } from '../../src/operating-data/operating-data.js';
import { StoredState } from '../../src/parameters/stored-state.js';
import { decodeDocument, encodeDocument, UnreadableDocument } from '../../src/storage/document.js';
import { Documents } from '../../src/storage/documents.js';
import { endsAndSample, withBitFlipped } from '../samples.js';

/** What a scanner makes of a document: its content as it understands it, or undefined where it was set aside. */
type Reading = (bytes: Uint8Array) => Promise<unknown>;

const testDevice = () => TestDevice.open({ passwords: factoryPassword });

async function readings() {
  const { storage, device, clock } = await testDevice();
  await device.saving.storeWorking();
  const { content } = device.state;
  const found = (name: string, bytes: Uint8Array) =>
    new Documents(new FaultyStorage(new Map([[name, bytes]])), new LogBook());
  const state: Reading = async (bytes) => {
    const read = new StoredState(found('parameters.json', bytes), () => content);
    return (await read.load(false)) === 'whole' ? read.content : undefined;
  };
  const firmware: Reading = async (bytes) => {
    const read = await FirmwareRecord.load(found('firmware.json', bytes), false, undefined);
    return read.lost ? undefined : [read.firmware.release, read.firmware.createdWith];
  };
  const credentials: Reading = async (bytes) => {
    const { store, lost } = await CredentialStore.load(found('credentials.json', bytes), new SeededRandom());
    if (lost) return undefined;
    return [store.nonceKey, store.rest('Service'), store.rest('Maintenance'), store.rest('AuthorizedClient')];
  };
  const counters: Reading = async (bytes) => {
    const { counters, found: state } = await OperatingCounters.load(
      found('operating.json', bytes),
      clock,
      new LogBook(),
    );
    return state === 'whole' ? [counters.powerOnCount, counters.tenthsOfHours] : undefined;
  };
  const whole = (name: string) => storage.documents.get(name) ?? new Uint8Array();
  return { state, credentials, counters, firmware, whole };
}

const documents = [
  ['parameters.json', 'state'],
  ['credentials.json', 'credentials'],
  ['operating.json', 'counters'],
  ['firmware.json', 'firmware'],
] as const;

test.each(documents)('%s cut off is set aside, or says the same', async (name, reader) => {
  const { whole, [reader]: read } = await readings();
  const bytes = whole(name);
  const expected = await read(bytes);
  expect(expected).toBeDefined();
  let detected = 0;
  const lengths = endsAndSample(bytes.length, 100, 61);
  for (const length of lengths) {
    const reading = await read(bytes.subarray(0, length));
    if (reading === undefined) detected++;
    else expect(reading).toEqual(expected);
  }
  // Only the last line break may be missing.
  expect(detected).toBe(lengths.length - 1);
});

test.each(documents)('%s with a bit flipped is set aside, or says the same', async (name, reader) => {
  const { whole, [reader]: read } = await readings();
  const bytes = whole(name);
  const expected = await read(bytes);
  let detected = 0;
  const bits = endsAndSample(bytes.length * 8, 400, 509);
  for (const bit of bits) {
    const reading = await read(withBitFlipped(bytes, bit));
    if (reading === undefined) detected++;
    else if (JSON.stringify(reading) !== JSON.stringify(expected))
      expect([bit, reading]).toEqual([bit, expected]);
  }
  expect(detected).toBe(bits.length);
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
