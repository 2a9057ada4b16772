import type { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { bootMilliseconds, TestDevice } from '@azimuth/test-support/test-device';
import { expect, test } from 'vitest';

const names = ['parameters.json', 'credentials.json', 'firmware.json', 'operating.json'];
const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();

/** The documents of a scanner that was used. */
async function used(): Promise<FaultyStorage> {
  return (await TestDevice.open()).storage.afterPowerCut();
}

test('a scanner that has lost nothing lists no lost documents', async () => {
  const { device } = await TestDevice.open({}, await used());
  expect(device.features.saving.lostDocuments).toEqual([]);
});

test.each(names)('%s is logged as lost with its new place if it cannot be understood', async (name) => {
  const storage = await used();
  storage.documents.set(name, Buffer.from('damaged'));
  const { device } = await TestDevice.open({}, storage);
  const [lost, ...others] = device.features.saving.lostDocuments;
  expect(lost).toEqual({ document: name, setAside: expect.stringContaining(`${name}.unreadable`) });
  expect(others).toEqual([]);
  expect(text(storage.documents.get(lost?.setAside ?? ''))).toBe('damaged');
});

test.each(['parameters.json', 'credentials.json', 'firmware.json'])(
  '%s is logged as lost without a place if it is missing',
  async (name) => {
    const storage = await used();
    storage.documents.delete(name);
    const { device } = await TestDevice.open({}, storage);
    expect(device.features.saving.lostDocuments).toEqual([{ document: name, setAside: undefined }]);
  },
);

test('a document that cannot be moved is listed as lost, and stays where it is', async () => {
  const storage = await used();
  storage.documents.set('parameters.json', Buffer.from('damaged'));
  storage.setAside = async () => Promise.reject(new Error('EACCES: permission denied'));
  const { device, log } = await TestDevice.open({}, storage);
  expect(device.features.saving.lostDocuments).toEqual([
    { document: 'parameters.json', setAside: undefined },
  ]);
  expect(log.errors[0]?.facts).toMatchObject({ setAside: 'not possible: EACCES: permission denied' });
  expect(text(storage.documents.get('parameters.json'))).toBe('damaged');
});

test('a loss is listed once, however often the scanner boots; the next one is listed, too', async () => {
  const storage = await used();
  storage.documents.set('parameters.json', Buffer.from('damaged'));
  const testDevice = await TestDevice.open({}, storage);
  await testDevice.reboot();
  await testDevice.reboot();
  expect(testDevice.device.features.saving.lostDocuments).toHaveLength(1);
  await testDevice.respond('WriteEeprom');
  storage.documents.set('parameters.json', Buffer.from('damaged again'));
  await testDevice.reboot();
  expect(testDevice.device.features.saving.lostDocuments.map(({ document }) => document)).toEqual([
    'parameters.json',
    'parameters.json',
  ]);
});

test.each(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'])(
  'a document that cannot be read for %s is not lost: it stays where it is, and a boot tries again',
  async (code) => {
    const testDevice = await TestDevice.open();
    const { storage, device, log } = testDevice;
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
    testDevice.clock.advance(bootMilliseconds);
    await failed;
    expect(log.errors.at(-1)?.message).toBe('The scanner could not boot');
    await testDevice.boot();
    expect(device.features.saving.lostDocuments).toEqual([]);
    expect(text(storage.documents.get('parameters.json'))).toBe(before);
    expect(device.features.deviceStatus.conditions.intact).toBe(true);
  },
);

test('a damaged document that could not be moved is not written over: it is moved first, or nothing is stored', async () => {
  const { storage } = await TestDevice.open();
  storage.documents.set('parameters.json', Buffer.from('damaged'));
  const { setAside } = storage;
  const refuse = async () => Promise.reject(new Error('EACCES: permission denied'));
  storage.setAside = refuse;
  const testDevice = await TestDevice.open({}, storage);
  await expect(testDevice.call('WriteEeprom')).rejects.toMatchObject({ status: 'internalServerError' });
  expect(text(storage.documents.get('parameters.json'))).toBe('damaged');
  storage.setAside = setAside;
  await testDevice.call('WriteEeprom');
  const aside = [...storage.documents.keys()].find((name) => name.startsWith('parameters.json.unreadable'));
  expect(text(storage.documents.get(aside ?? ''))).toBe('damaged');
});
