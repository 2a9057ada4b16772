import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { FakeDevice, type FileTransfer } from '@azimuth/test-support/fake-device';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { azimuth } from '../run.js';

const backupFile = '{"version":"2.4.4","parameters":[]}';
const passphrase = 'open-sesame-4711';

let device: FakeDevice;
let folder: string;
let transfers: FileTransfer[];

beforeEach(async () => {
  device = await FakeDevice.start();
  folder = temporaryFolder();
  transfers = [];
  vi.stubEnv('AZIMUTH_DEVICE', device.url);
  vi.stubEnv('AZIMUTH_PASSWORD', 'servicelevel');
  vi.stubEnv('AZIMUTH_PASSPHRASE', '');
  vi.stubEnv('AZIMUTH_USER', '');
  device.responses.set('CreateParameterBackup', { Result: true });
  device.responses.set('RestoreParameterBackup', { Result: true, RestoreResult: 0 });
  device.responses.set('DoDiagnosisDump', { Successfull: true });
  device.responses.set('CreateSessionToken', { token: 'the-token', timeToLive: 60 });
  device.files.set('parameterbackup', (transfer) => {
    transfers.push(transfer);
    return { body: transfer.method === 'GET' ? backupFile : '' };
  });
  device.files.set('crown/file', () => ({ body: 'a zip' }));
});
afterEach(() => device.stop());

const at = (name: string) => join(folder, name);

function secretFile(text: string): string {
  writeFileSync(at('secret.txt'), `${text}\n`);
  return at('secret.txt');
}

describe('backup', () => {
  test('saves a file that only its owner can read, and no other file', async () => {
    expect(await azimuth('backup', at('gate.json'))).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect(readFileSync(at('gate.json'), 'utf8')).toBe(backupFile);
    expect(statSync(at('gate.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['gate.json']);
  });

  test('is written to standard output for a dash', async () => {
    expect((await azimuth('backup', '-')).stdout).toBe(backupFile);
    expect((await azimuth('backup', '-', '--json')).stdout).toBe(backupFile);
  });

  test('with --json prints what was written', async () => {
    const { stdout } = await azimuth('backup', at('gate.json'), '--json');
    expect(JSON.parse(stdout)).toEqual({ file: at('gate.json'), bytes: backupFile.length });
  });

  test('refuses to replace an existing file without --force, before any request', async () => {
    writeFileSync(at('gate.json'), 'the old one');
    expect(await azimuth('backup', at('gate.json'))).toEqual({
      stdout: '',
      stderr: `azimuth: ${at('gate.json')} already exists; use --force to replace it\n`,
      exitCode: 2,
    });
    expect(device.requests).toEqual([]);
    expect(readFileSync(at('gate.json'), 'utf8')).toBe('the old one');
    expect((await azimuth('backup', at('gate.json'), '--force')).exitCode).toBe(0);
    expect(readFileSync(at('gate.json'), 'utf8')).toBe(backupFile);
  });

  test('that fails keeps the old file and leaves no part of a new one', async () => {
    writeFileSync(at('gate.json'), 'the old one');
    device.files.set('parameterbackup', () => ({ http: 404, body: '{}' }));
    const { stderr, exitCode } = await azimuth('backup', at('gate.json'), '--force');
    expect([stderr, exitCode]).toEqual([
      'azimuth: parameterbackup: HTTP 404, there is no such file on the scanner\n',
      1,
    ]);
    expect(readFileSync(at('gate.json'), 'utf8')).toBe('the old one');
    expect(readdirSync(folder)).toEqual(['gate.json']);
  });

  test('into a missing folder makes it, and into a folder itself is an error', async () => {
    expect((await azimuth('backup', at('deep/down/gate.json'))).exitCode).toBe(0);
    expect(readdirSync(at('deep/down'))).toEqual(['gate.json']);
    mkdirSync(at('folder'));
    expect((await azimuth('backup', at('folder'))).stderr).toContain('is a folder');
  });

  test('writes into what is no regular file, and leaves it what it is', async () => {
    symlinkSync('/dev/null', at('null'));
    expect((await azimuth('backup', at('null'))).exitCode).toBe(0);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    expect(statSync(at('null')).isCharacterDevice()).toBe(true);
  });

  test.each([
    ['a file', () => ['--passphrase-file', secretFile(passphrase)]],
    [
      'the environment',
      () => {
        vi.stubEnv('AZIMUTH_PASSPHRASE', passphrase);
        return [];
      },
    ],
  ])('takes its passphrase from %s', async (_, flags) => {
    const { stdout, stderr } = await azimuth('backup', at('gate.json'), ...flags());
    expect(device.exchanges[1]?.body.data).toEqual({ Passphrase: passphrase });
    expect(stdout + stderr).not.toContain(passphrase);
  });

  test('refuses an invalid passphrase in a message that does not contain it', async () => {
    const long = 'x'.repeat(257);
    const { stderr, exitCode } = await azimuth('backup', at('a'), '--passphrase-file', secretFile(long));
    expect([stderr, exitCode]).toEqual(['azimuth: a passphrase has at most 256 characters\n', 2]);
    expect(device.requests).toEqual([]);
  });

  test('without the right to it ends with the exit code of denied access', async () => {
    device.files.set('parameterbackup', () => ({ http: 403, body: '{}' }));
    const { stderr, exitCode } = await azimuth('backup', at('gate.json'));
    expect(exitCode).toBe(4);
    expect(stderr).not.toContain('the-token');
  });

  test('prints its progress if requested', async () => {
    expect((await azimuth('backup', at('gate.json'), '--progress')).stderr).toBe(
      'The scanner writes the backup …\nFetching 0.0 kB\n',
    );
  });
});

/** A user at a terminal has typed this. */
function typeAtTerminal(text: string): void {
  const usual = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
  const input = Object.assign(new PassThrough(), { isTTY: true });
  input.end(text);
  Object.defineProperty(process, 'stdin', { value: input, configurable: true });
  onTestFinished(() => void Object.defineProperty(process, 'stdin', usual));
}

describe('restore', () => {
  test('asks first, and so needs a terminal or --yes', async () => {
    writeFileSync(at('gate.json'), backupFile);
    const { stderr, exitCode } = await azimuth('restore', at('gate.json'));
    expect(stderr).toContain('give --yes');
    expect([exitCode, device.requests]).toEqual([2, []]);
    const flags = ['--yes', '--passphrase-file', secretFile(passphrase)];
    expect(await azimuth('restore', at('gate.json'), ...flags)).toEqual({
      stdout: '',
      stderr: '',
      exitCode: 0,
    });
    expect(transfers[0]?.body.toString()).toContain(backupFile);
  });

  test('shows what changes before it asks', async () => {
    const parameters = [
      { name: 'ScanDataEnable', id: 'x', value: true },
      { name: 'EtherSpeed', id: 'x', value: 1 },
      { name: 'FREchoFilter', id: 'x', value: 2 },
      { name: 'Unknown\u001b', id: 'x', value: 2 },
    ];
    const groups = [{ userlevel: 'Service', parameters }];
    writeFileSync(at('gate.json'), JSON.stringify({ 'serial number': '42', parameters: groups }));
    device.values.set('SerialNumber', '42');
    device.values.set('ScanDataEnable', false);
    device.values.set('FREchoFilter', 2);
    typeAtTerminal('n\n');
    expect(await azimuth('restore', at('gate.json'))).toEqual({
      stdout: '',
      stderr: [
        'PARAMETER       NOW     THEN',
        'ScanDataEnable  false → true',
        `Replace the parameters of ${device.url} by those of ${at('gate.json')}? [y/N] azimuth: not confirmed; nothing was changed`,
        '',
      ].join('\n'),
      exitCode: 2,
    });
    expect(transfers).toEqual([]);
  });

  test('prints the parameters that stay as they were', async () => {
    writeFileSync(at('gate.json'), backupFile);
    device.responses.set('RestoreParameterBackup', {
      RestoreResult: 0,
      ParametersFailedToRestore: ['LocationName', 'EtherIPAddress'],
    });
    expect(await azimuth('restore', at('gate.json'), '--yes')).toEqual({
      stdout: 'LocationName\nEtherIPAddress\n',
      stderr: 'azimuth: 2 parameters could not be restored; all others were restored\n',
      exitCode: 1,
    });
  });

  test('reports a fault of the file', async () => {
    writeFileSync(at('gate.json'), backupFile);
    device.responses.set('RestoreParameterBackup', { RestoreResult: 1 });
    expect(await azimuth('restore', at('gate.json'), '--yes')).toEqual({
      stdout: '',
      stderr:
        'azimuth: RestoreParameterBackup: refused (ChecksumError) – the file was edited or damaged after the scanner made it; make a new backup\n',
      exitCode: 1,
    });
  });

  test('of an encrypted file without its passphrase names the option, and asks nobody anything', async () => {
    writeFileSync(at('gate.json'), `AZBACKUP${'\0'.repeat(60)}`);
    const line = `azimuth: ${at('gate.json')} is encrypted: name a file with its passphrase (--passphrase-file), or set AZIMUTH_PASSPHRASE\n`;
    for (const argv of [
      ['restore', at('gate.json'), '--yes'],
      ['diff', at('gate.json'), at('gate.json')],
    ]) {
      expect(await azimuth(...argv)).toEqual({ stdout: '', stderr: line, exitCode: 2 });
    }
    expect(device.requests).toEqual([]);
  });

  test('of a file that is not there asks nobody anything', async () => {
    const { stderr, exitCode } = await azimuth('restore', at('gate.json'));
    expect(stderr).toContain('cannot be read: there is no such file');
    expect([exitCode, device.requests]).toEqual([2, []]);
  });
});

describe('update', () => {
  beforeEach(() => {
    device.values.set('DeviceIdent', { Name: 'picoScan', Version: '2.3.3.0R' });
    device.values.set('DeviceStatus', 3);
    device.values.set('UpdateState', 0);
    device.files.set('update', (transfer) => {
      transfers.push(transfer);
      device.prepare('UpdateState', { data: { UpdateState: 2 } });
      device.prepare('DeviceIdent', { data: { DeviceIdent: { Name: 'picoScan', Version: '2.4.4.0R' } } });
      return { body: '' };
    });
    writeFileSync(at('new.spk'), Buffer.alloc(150_000, 9));
  });

  test('sends the file and prints both versions', async () => {
    expect(await azimuth('update', at('new.spk'), '--yes', '--expect', '2.4.4.0R')).toEqual({
      stdout: '2.3.3.0R → 2.4.4.0R\n',
      stderr: '',
      exitCode: 0,
    });
    expect(transfers[0]?.body.equals(Buffer.alloc(150_000, 9))).toBe(true);
    expect(transfers[0]?.headers['content-length']).toBe('150000');
  });

  test('asks first', async () => {
    expect((await azimuth('update', at('new.spk'))).stderr).toContain('give --yes');
    expect(device.requests).toEqual([]);
  });

  test('to another version than expected fails', async () => {
    const { stderr, exitCode } = await azimuth('update', at('new.spk'), '--yes', '--expect', '9.9.9.0R');
    expect(stderr).toContain('and not 9.9.9.0R');
    expect(exitCode).toBe(1);
  });

  test.each([
    ['that is empty', () => writeFileSync(at('bad'), ''), 'is empty'],
    ['that is a folder', () => mkdirSync(at('bad')), 'is not a regular file'],
    ['that is not there', () => undefined, 'cannot be read: there is no such file'],
  ])('of a file %s asks nobody anything', async (_, prepare, message) => {
    prepare();
    const { stderr, exitCode } = await azimuth('update', at('bad'), '--yes');
    expect(stderr).toContain(message);
    expect([exitCode, device.requests]).toEqual([2, []]);
  });
});

describe('diagnose', () => {
  test('saves the archive', async () => {
    expect(await azimuth('diagnose', at('gate.zip'), '--output', 'x.zip', '--suspend')).toEqual({
      stdout: '',
      stderr: '',
      exitCode: 0,
    });
    expect(readFileSync(at('gate.zip'), 'utf8')).toBe('a zip');
    expect(statSync(at('gate.zip')).mode & 0o777).toBe(0o600);
    expect(device.exchanges[1]?.body.data).toEqual({ Output: 'x.zip', DoRunlevelLoop: true });
  });

  test('that breaks off in the middle leaves no file', async () => {
    device.files.set('crown/file', () => ({
      headers: { 'Content-Length': '5000', Connection: 'close' },
      body: 'the beginning of a zip',
    }));
    const { stderr, exitCode } = await azimuth('diagnose', at('gate.zip'));
    expect(stderr).toMatch(/^azimuth: http:.* cannot be reached: .*\n$/);
    expect(exitCode).toBe(3);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('in a folder without rights is an error', async () => {
    chmodSync(folder, 0o500);
    // Root may write there, but not in /proc.
    const [path, reason] =
      process.getuid?.() === 0 ? ['/proc/gate.zip', 'ENOENT'] : [at('gate.zip'), 'EACCES'];
    const { stderr, exitCode } = await azimuth('diagnose', path);
    chmodSync(folder, 0o700);
    expect(stderr).toContain(`cannot be written: ${reason}`);
    expect(exitCode).toBe(1);
  });
});
