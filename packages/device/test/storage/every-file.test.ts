import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { isReported, startWith, storedScanner } from '@azimuth/test-support/stored-scanner';
import { TestDevice } from '@azimuth/test-support/test-device';
import { expect, test } from 'vitest';
import { checkedFiles, storedNames } from '../../src/storage/document.js';
import { withBitFlipped } from '../samples.js';
import { findsForeignBytes, storageWith } from './foreign-bytes.js';

let made: Promise<FaultyStorage> | undefined;

/** Stored data of a scanner, the same for all tests. */
async function all(): Promise<FaultyStorage> {
  made ??= storedScanner();
  return made;
}

test('a scanner stores nothing that is not in the list of what it stores', async () => {
  const stored = await all();
  const listed: readonly string[] = storedNames;
  expect([...stored.documents.keys()].filter((name) => !listed.includes(name))).toEqual([]);
});

test('a scanner with intact files reports nothing', async () => {
  const { deviceStatus, lost, errors } = await startWith((await all()).afterPowerCut());
  expect([deviceStatus, lost, errors]).toEqual([3, [], []]);
});

test.each(storedNames)(
  'bits that flip in %s are found at the next start, and what was there is kept',
  async (name) => {
    const stored = await all();
    const bytes = stored.documents.get(name) ?? new Uint8Array();
    const step = Math.max(1, Math.floor((bytes.length * 8) / 12)) | 1;
    for (let bit = 0; bit < bytes.length * 8; bit += step) {
      const damaged = withBitFlipped(bytes, bit);
      const findings = await startWith(storageWith(stored, name, damaged));
      expect(isReported(name, damaged, findings), `bit ${bit}`).toBe(true);
    }
  },
);

test.each(storedNames)('512 bytes of zeros or others in %s are found at the next start', async (name) => {
  await findsForeignBytes(await all(), name, 6);
});

test.each(checkedFiles)(
  '%s that is damaged is not handed out, and a new one ends DeviceStatus 7',
  async (name) => {
    const stored = await all();
    const bytes = stored.documents.get(name) ?? new Uint8Array();
    const { device, context } = await TestDevice.open(
      {},
      storageWith(stored, name, withBitFlipped(bytes, 77)),
    );
    expect(await context.storage.read(name)).toBeUndefined();
    expect(device.features.deviceStatus.conditions.deviceStatus).toBe(7);
    await context.storage.write(name, bytes);
    expect(device.features.deviceStatus.conditions.deviceStatus).toBe(3);
    expect(await context.storage.read(name)).toEqual(Uint8Array.from(bytes));
  },
);

test.each(checkedFiles)(
  'a power cut before or while a change of %s is written leaves the old one, undamaged, and then the new one',
  async (name) => {
    const stored = await all();
    for (const at of ['files.json', name]) {
      const { context, storage } = await TestDevice.open({}, stored.afterPowerCut());
      storage.die(at);
      void context.storage.write(name, Buffer.from('a new one'));
      await expect.poll(() => storage.begun).toContain(at);
      const findings = await startWith(storage.afterPowerCut());
      expect([findings.deviceStatus, findings.lost], at).toEqual([3, []]);
      expect(findings.storage.documents.get(name), at).toEqual(
        Uint8Array.from(stored.documents.get(name) ?? []),
      );
      const after = new FaultyStorage(new Map([...storage.documents, [name, Buffer.from('a new one')]]));
      if (at === 'files.json') continue;
      expect((await startWith(after)).deviceStatus).toBe(3);
    }
  },
);

test('a file that a person has put there is accepted, and checked from then on', async () => {
  const storage = new FaultyStorage();
  await TestDevice.open({}, storage);
  storage.documents.set('parameterbackup', Buffer.from('mine'));
  const { device } = await TestDevice.open({}, storage.afterPowerCut());
  expect(String(await device.features.backups.file())).toBe('mine');
  const stored = new FaultyStorage(storage.documents);
  expect((await startWith(stored)).deviceStatus).toBe(3);
});

test('a file with a temporary read error is reported, and stays in its place', async () => {
  const storage = (await all()).afterPowerCut();
  const pieces = storage.pieces.bind(storage);
  storage.pieces = async (name) => {
    if (name === 'cloud.pcd') throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
    return pieces(name);
  };
  const { device, context, log } = await TestDevice.open({}, storage);
  await expect(context.storage.pieces('cloud.pcd')).rejects.toThrow('EIO');
  expect(device.features.deviceStatus.conditions.deviceStatus).toBe(7);
  expect(log.errors[0]?.facts).toMatchObject({ document: 'cloud.pcd' });
  storage.pieces = pieces;
  expect(await context.storage.pieces('cloud.pcd')).toBeDefined();
  expect(device.features.deviceStatus.conditions.deviceStatus).toBe(3);
  expect(storage.documents.has('cloud.pcd')).toBe(true);
});
