import { TestDevice } from '@azimuth/test-support/test-device';
import { expect, test } from 'vitest';
import { Documents } from '../../src/storage/documents.js';
import { MemoryStorage } from '../../src/storage/memory-storage.js';
import { remedyOf, StorageUnavailable } from '../../src/storage/storage-failure.js';

const system = (code: string, text: string, rest = '') =>
  Object.assign(new Error(`${code}: ${text}${rest}`), { code });

test.each([
  [system('ENOSPC', 'no space left on device', ', write'), /^ENOSPC: no space left on device; make room/],
  [system('EFBIG', 'file too large', ', write'), /^EFBIG: file too large; make room/],
  [
    system('EACCES', 'permission denied', ", unlink '/home/me/a.json'"),
    /^EACCES: permission denied; give .* right/,
  ],
  [
    system('EROFS', 'read-only file system', ", open '/home/me/a'"),
    /^EROFS: read-only file system; give .* right/,
  ],
  [
    system('ENOENT', 'no such file or directory', ", open '/home/me/a'"),
    /; the folder of the scanner is gone/,
  ],
  [system('EIO', 'i/o error', ', fsync'), /^EIO: i\/o error; the log of the scanner says more$/],
  [
    new StorageUnavailable('The database at /home/me does not answer', 'the database does not answer'),
    /^the database does not answer$/,
  ],
  [new Error('/home/me was released'), /^the log of the scanner says why$/],
  ['/home/me', /^the log of the scanner says why$/],
])('%s is reported with a remedy and without a path', (error, expected) => {
  expect(remedyOf(error)).toMatch(expected);
  expect(remedyOf(error)).not.toContain('/home');
});

test('if something cannot be stored, the caller gets the reason without paths, and the log in full', async () => {
  const { device, context, storage, log } = await TestDevice.open();
  storage.write = async () => {
    throw system('EACCES', 'permission denied', ", open '/home/me/scanner/parameters.json'");
  };
  await expect(device.features.saving.storeWorking()).rejects.toMatchObject({
    status: 'internalServerError',
    message:
      'the parameters could not be stored: EACCES: permission denied; ' +
      'give the scanner the right to write to its folder, then try again',
  });
  await expect(context.credentials.setLegacy('Service', 1)).rejects.toThrow(
    /^the passwords could not be stored: /,
  );
  expect(log.errors).toEqual([
    {
      severity: 'error',
      message: 'The parameters could not be stored',
      facts: {
        document: 'parameters.json',
        reason: "EACCES: permission denied, open '/home/me/scanner/parameters.json'",
      },
    },
    expect.objectContaining({ message: 'The passwords could not be stored' }),
  ]);
});

test('a document whose storage does not respond is not lost, and nothing is set aside', async () => {
  const storage = new MemoryStorage();
  await storage.write('a.json', Buffer.from('whole'));
  const documents = new Documents(
    Object.assign(storage, {
      read: () => Promise.reject(new StorageUnavailable('The database does not answer', 'try again')),
    }),
    { info() {}, warn() {}, error() {} },
  );
  await expect(documents.find('a.json', 'loss', (document) => document)).rejects.toThrow(StorageUnavailable);
  await expect(documents.neverUsed()).rejects.toThrow(StorageUnavailable);
  expect(documents.lost).toEqual([]);
  expect([...storage.documents.keys()]).toEqual(['a.json']);
});
