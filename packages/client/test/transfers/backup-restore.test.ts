import { FakeDevice, type FileTransfer } from '@azimuth/test-support/fake-device';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Scanner } from '../../src/index.js';

const backupFile = '{"version":"2.4.4","checksum":"1","parameters":[]}';

let device: FakeDevice;
let scanner: Scanner;
let paused: number[];
let transfers: FileTransfer[];

beforeEach(async () => {
  device = await FakeDevice.start();
  paused = [];
  transfers = [];
  scanner = new Scanner({
    url: device.url,
    password: 'servicelevel',
    pause: async (ms) => {
      paused.push(ms);
    },
  });
  device.responses.set('CreateParameterBackup', { Result: true });
  device.responses.set('RestoreParameterBackup', {
    Result: true,
    RestoreResult: 0,
    ParametersFailedToRestore: [],
  });
  device.responses.set('CreateSessionToken', { token: 'the-token', timeToLive: 60 });
  device.files.set('parameterbackup', (transfer) => {
    transfers.push(transfer);
    return transfer.method === 'GET' ? { body: backupFile } : { body: '' };
  });
});
afterEach(() => device.stop());

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('backup', () => {
  test('requests the file, waits for it, and fetches it with a token', async () => {
    device.prepare(
      'CreateParameterBackupResult',
      { data: { CreateParameterBackupResult: { Status: 0, Result: false } } },
      { data: { CreateParameterBackupResult: { Status: 0, Result: false } } },
      { data: { CreateParameterBackupResult: { Status: 1, Result: true } } },
    );
    const told: unknown[] = [];
    const file = await scanner.backup({
      passphrase: 'open sesame',
      onProgress: (bytes, total) => told.push([bytes, total]),
    });
    expect(text(file)).toBe(backupFile);
    expect(paused).toHaveLength(2);
    expect(transfers[0]?.headers['x-session-token']).toBe('the-token');
    expect(device.exchanges[1]?.body.data).toEqual({ Passphrase: 'open sesame' });
    expect(told.at(-1)).toEqual([backupFile.length, undefined]);
  });

  test('of a release without tokens and results needs neither', async () => {
    device.prepare('CreateSessionToken', { status: 5 });
    expect(text(await scanner.backup())).toBe(backupFile);
    expect(transfers[0]?.headers).not.toHaveProperty('x-session-token');
    expect(device.exchanges[1]?.body.data).toEqual({});
    expect(paused).toEqual([]);
  });

  test('is begun anew with a new token after HTTP 403, once', async () => {
    const seen: unknown[] = [];
    device.files.set('parameterbackup', ({ headers }) => {
      seen.push(headers['x-session-token']);
      return headers['x-session-token'] === 'new' ? { body: backupFile } : { http: 403, body: '{}' };
    });
    device.prepare('CreateSessionToken', { data: { token: 'old', timeToLive: 60 } });
    device.responses.set('CreateSessionToken', { token: 'new', timeToLive: 60 });
    expect(text(await scanner.backup())).toBe(backupFile);
    expect(seen).toEqual(['old', 'new']);
    device.responses.set('CreateSessionToken', { token: 'other', timeToLive: 60 });
    device.files.set('parameterbackup', () => ({ http: 403, body: '{}' }));
    await expect(scanner.backup()).rejects.toMatchObject({ name: 'TransferError', httpStatus: 403 });
  });

  test('reports what HTTP statuses mean, in the words of the scanner if it sends any', async () => {
    device.files.set('parameterbackup', () => ({
      http: 404,
      headers: { 'Azimuth-Detail': 'no backup file%21' },
      body: '{}',
    }));
    await expect(scanner.backup()).rejects.toThrow(
      'parameterbackup: HTTP 404, there is no such file on the scanner – no backup file!',
    );
    const headers = { 'Content-Type': 'text/plain' };
    device.files.set('parameterbackup', () => ({ http: 503, headers, body: 'The fleet is starting.\n' }));
    await expect(scanner.backup()).rejects.toThrow(
      'parameterbackup: HTTP 503, the scanner is busy with other transfers, try again later – The fleet is starting.',
    );
  });

  test('that is answered with a refusal in an envelope is refused', async () => {
    device.files.set('parameterbackup', () => {
      const body = '{"header":{"status":5,"message":"Not Found"}}';
      return { headers: { 'Content-Length': String(body.length) }, body };
    });
    await expect(scanner.backup()).rejects.toMatchObject({ name: 'ScannerError', status: 5 });
  });

  test('waits if the scanner asks for it', async () => {
    let times = 0;
    device.files.set('parameterbackup', () =>
      ++times === 1 ? { http: 429, headers: { 'Retry-After': '2' } } : { body: backupFile },
    );
    expect(text(await scanner.backup())).toBe(backupFile);
    expect(paused).toEqual([2000]);
  });

  test.each([
    ['at once', () => device.responses.set('CreateParameterBackup', { Result: false })],
    ['in the end', () => device.values.set('CreateParameterBackupResult', { Status: 1, Result: false })],
  ])('that the scanner cannot make is an error: %s', async (_, prepare) => {
    prepare();
    await expect(scanner.backup()).rejects.toThrow('CreateParameterBackup: refused (Result false)');
    expect(transfers).toEqual([]);
  });

  test('that never ends is given up after ten minutes', async () => {
    const header = { status: 0, message: 'Ok' };
    const data = { CreateParameterBackupResult: { Status: 0, Result: false } };
    const patient = new Scanner({
      url: device.url,
      password: 'servicelevel',
      pause: async (ms) => {
        paused.push(ms);
      },
      fetch: async (url, init) =>
        url.endsWith('CreateParameterBackupResult') ? Response.json({ header, data }) : fetch(url, init),
    });
    await expect(patient.backup()).rejects.toThrow('it is not finished within 600 s');
    expect(paused.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(600_000);
  });
});

describe('restore', () => {
  const bytes = new TextEncoder().encode(backupFile);

  test('sends the file as the part datei, and reports which parameters stay', async () => {
    device.values.set('RestoreParameterBackupResult', {
      Status: 1,
      RestoreResult: 0,
      ParametersFailedToRestore: ['LocationName'],
    });
    const restored = await scanner.restore(bytes, { passphrase: 'open sesame', filter: 3 });
    expect(restored).toEqual({ failed: ['LocationName'], rebooted: false });
    const [sent] = transfers;
    expect([sent?.method, sent?.headers['x-session-token']]).toEqual(['PUT', 'the-token']);
    expect(sent?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(String(sent?.body)).toContain('name="datei"');
    expect(String(sent?.body)).toContain(`\r\n\r\n${backupFile}\r\n`);
    expect(device.exchanges.at(-2)?.body.data).toEqual({ Passphrase: 'open sesame', Filter: 3 });
  });

  test.each([
    ['in its response', () => device.responses.set('RestoreParameterBackup', { RestoreResult: 6 })],
    [
      'beside a flag',
      () => device.responses.set('RestoreParameterBackup', { Result: false, RestoreResult: 6 }),
    ],
    [
      'in the variable',
      () => device.values.set('RestoreParameterBackupResult', { Status: 1, RestoreResult: 6 }),
    ],
  ])('names the outcome that the scanner reports %s', async (_, prepare) => {
    prepare();
    await expect(scanner.restore(bytes)).rejects.toMatchObject({
      name: 'NotDoneError',
      outcome: 'DecryptionError',
    });
  });

  test('that is refused only by a flag is refused', async () => {
    device.responses.set('RestoreParameterBackup', { Result: false });
    await expect(scanner.restore(bytes)).rejects.toThrow('RestoreParameterBackup: refused (Result false)');
  });

  test('takes the failed parameters from the response if there is no variable', async () => {
    device.responses.set('RestoreParameterBackup', { RestoreResult: 0, ParametersFailedToRestore: ['A'] });
    expect(await scanner.restore(bytes)).toEqual({ failed: ['A'], rebooted: false });
  });

  test('waits for the reboot of the scanner', async () => {
    let polls = 0;
    const scannerThatReboots = new Scanner({
      url: device.url,
      password: 'servicelevel',
      pause: async () => undefined,
      fetch: (url, init) => {
        if (url.endsWith('RestoreParameterBackupResult') && ++polls === 1) throw new TypeError('gone');
        if (url.endsWith('DeviceStatus') && ++polls < 5) throw new TypeError('gone');
        return fetch(url, init);
      },
    });
    device.values.set('DeviceStatus', 3);
    device.values.set('RestoreParameterBackupResult', { Status: 0, RestoreResult: 0 });
    expect(await scannerThatReboots.restore(bytes)).toEqual({ failed: [], rebooted: true });
  });
});
