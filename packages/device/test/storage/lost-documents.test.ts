import { expect, test } from 'vitest';
import { Bench, bootMilliseconds } from '../../../../tests/support/device-test-bench.js';
import type { FaultyStorage } from '../../../../tests/support/faulty-storage.js';

const names = ['parameters.json', 'credentials.json', 'firmware.json', 'operating.json'];
const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();

/** The documents of a scanner that was used. */
async function used(): Promise<FaultyStorage> {
  return (await Bench.open()).storage.afterPowerCut();
}

test('a scanner that has lost nothing says so', async () => {
  const { device } = await Bench.open({}, await used());
  expect(device.lostDocuments).toEqual([]);
});

test.each(names)('%s, where it cannot be understood, is told as lost, with where it is now', async (name) => {
  const storage = await used();
  storage.documents.set(name, Buffer.from('damaged'));
  const { device } = await Bench.open({}, storage);
  const [lost, ...others] = device.lostDocuments;
  expect(lost).toEqual({ document: name, setAside: expect.stringContaining(`${name}.unreadable`) });
  expect(others).toEqual([]);
  expect(text(storage.documents.get(lost?.setAside ?? ''))).toBe('damaged');
});

test.each(['parameters.json', 'credentials.json', 'firmware.json'])(
  '%s, where it is gone, is told as lost, with no place where it is now',
  async (name) => {
    const storage = await used();
    storage.documents.delete(name);
    const { device } = await Bench.open({}, storage);
    expect(device.lostDocuments).toEqual([{ document: name, setAside: undefined }]);
  },
);

test('one that cannot be moved is told as lost, and left where it is', async () => {
  const storage = await used();
  storage.documents.set('parameters.json', Buffer.from('damaged'));
  storage.setAside = async () => Promise.reject(new Error('EACCES: permission denied'));
  const { device, log } = await Bench.open({}, storage);
  expect(device.lostDocuments).toEqual([{ document: 'parameters.json', setAside: undefined }]);
  expect(log.errors[0]?.facts).toMatchObject({ setAside: 'not possible: EACCES: permission denied' });
  expect(text(storage.documents.get('parameters.json'))).toBe('damaged');
});

test('a loss is told once, however often the scanner boots; the next one is told too', async () => {
  const storage = await used();
  storage.documents.set('parameters.json', Buffer.from('damaged'));
  const bench = await Bench.open({}, storage);
  await bench.reboot();
  await bench.reboot();
  expect(bench.device.lostDocuments).toHaveLength(1);
  await bench.respond('WriteEeprom');
  storage.documents.set('parameters.json', Buffer.from('damaged again'));
  await bench.reboot();
  expect(bench.device.lostDocuments.map(({ document }) => document)).toEqual([
    'parameters.json',
    'parameters.json',
  ]);
});

test.each(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'])(
  'a document that cannot be read for %s is not lost: it stays where it is, and a boot tries again',
  async (code) => {
    const bench = await Bench.open();
    const { storage, device, log } = bench;
    const before = text(storage.documents.get('parameters.json'));
    const read = storage.read.bind(storage);
    storage.read = async () => {
      storage.read = read;
      throw Object.assign(new Error(`${code}: for a moment, open`), { code });
    };
    device.lifecycle.reboot();
    const failed = new Promise<void>((resolve) => {
      const tell = log.error.bind(log);
      log.error = (message, facts) => {
        tell(message, facts);
        resolve();
      };
    });
    bench.clock.advance(bootMilliseconds);
    await failed;
    expect(log.errors.at(-1)?.message).toBe('The scanner could not come up again');
    await bench.boot();
    expect(device.lostDocuments).toEqual([]);
    expect(text(storage.documents.get('parameters.json'))).toBe(before);
    expect(device.intact).toBe(true);
  },
);

test('a damaged document that could not be moved is not written over: it is moved first, or nothing is stored', async () => {
  const { storage } = await Bench.open();
  storage.documents.set('parameters.json', Buffer.from('damaged'));
  const { setAside } = storage;
  const refuse = async () => Promise.reject(new Error('EACCES: permission denied'));
  storage.setAside = refuse;
  const bench = await Bench.open({}, storage);
  await expect(bench.call('WriteEeprom')).rejects.toMatchObject({ status: 'internalServerError' });
  expect(text(storage.documents.get('parameters.json'))).toBe('damaged');
  storage.setAside = setAside;
  await bench.call('WriteEeprom');
  const aside = [...storage.documents.keys()].find((name) => name.startsWith('parameters.json.unreadable'));
  expect(text(storage.documents.get(aside ?? ''))).toBe('damaged');
});
