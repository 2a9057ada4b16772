import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleOf, issue } from '@azimuth/test-support/certificates';
import { statusOf } from '@azimuth/test-support/client';
import { azimuth, quiet } from '@azimuth/test-support/command-process';
import { object, parse } from '@azimuth/test-support/json';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { unzip } from '@azimuth/test-support/unzip';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, it } from 'vitest';

/** Seconds of real time: the command waits for the scanner by itself. */
const bootTime = 1;

describe('azimuth backup and restore', () => {
  it.each(['2.2.0', '2.4.4'])('restore the parameters of release %s', async (release) => {
    const scannerFolder = new ScannerFolder();
    const scanner = await scannerFolder.start(['--firmware', release]);
    const client = scanner.client();
    await client.write('LocationName', 'Gate 3');
    const file = join(scannerFolder.folder, 'gate3.json');
    expect(await azimuth(['backup', file], scanner)).toEqual(quiet);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await azimuth(['backup', '-'], scanner)).stdout).toContain('"Gate 3"');
    await client.write('LocationName', 'another');
    expect(await azimuth(['restore', file, '--yes'], scanner)).toEqual(quiet);
    expect(await client.value('LocationName')).toBe('Gate 3');
    expect(await client.stored('LocationName')).toBe('Gate 3');
  });

  it('encrypt with a passphrase; only this passphrase decrypts, and it is never printed', async () => {
    const scannerFolder = new ScannerFolder();
    const scanner = await scannerFolder.start();
    const passphrase = 'open-sesame-4711';
    const file = join(scannerFolder.folder, 'secret.json');
    await scanner.client().write('LocationName', 'Gate of secrets');
    expect(await azimuth(['backup', file], scanner, { AZIMUTH_PASSPHRASE: passphrase })).toEqual(quiet);
    expect(readFileSync(file).includes('Gate of secrets')).toBe(false);
    for (const words of [
      ['restore', file, '--yes'],
      ['diff', file],
    ]) {
      const without = await azimuth(words, scanner, { AZIMUTH_PASSPHRASE: '' });
      expect(without.stderr).toBe(
        `azimuth: ${file} is encrypted: name a file with its passphrase (--passphrase-file), or set AZIMUTH_PASSPHRASE\n`,
      );
      expect(without.code).toBe(2);
    }
    const wrong = await azimuth(['restore', file, '--yes'], scanner, { AZIMUTH_PASSPHRASE: 'guessed' });
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(
      /^azimuth: RestoreParameterBackup: refused \(Decryption\w*Error\) – the passphrase is wrong or missing, or the file was damaged\n$/,
    );
    await scanner.client().write('LocationName', 'another');
    const right = await azimuth(['restore', file, '--yes'], scanner, { AZIMUTH_PASSPHRASE: passphrase });
    expect(right).toEqual(quiet);
    expect(await scanner.client().value('LocationName')).toBe('Gate of secrets');
    expect(scanner.log).not.toContain(passphrase);
  });
});

describe('azimuth diagnose', () => {
  it('saves an archive or writes it to stdout', async () => {
    const scannerFolder = new ScannerFolder();
    const scanner = await scannerFolder.start();
    const file = join(scannerFolder.folder, 'gate3.zip');
    expect(await azimuth(['diagnose', file, '--suspend'], scanner)).toEqual(quiet);
    const files = await unzip(readFileSync(file));
    expect(object(parse(files.get('status.json') ?? '')).DeviceStatus).toEqual({
      number: 4,
      name: 'DS_SuspendedOperation',
    });
    const piped = await azimuth(['diagnose', '-'], scanner);
    expect(piped.stdout.startsWith('PK')).toBe(true);
    const odd = await azimuth(
      ['diagnose', join(scannerFolder.folder, 'odd.zip'), '--output', '../x'],
      scanner,
    );
    expect([odd.code, odd.stderr]).toEqual([
      1,
      "azimuth: DoDiagnosisDump: refused (Successfull false) – the scanner's log says why\n",
    ]);
  });
});

describe('azimuth update', () => {
  it('installs signed firmware, waits until the scanner is up, and prints the versions', async () => {
    const scannerFolder = new ScannerFolder();
    const keys = join(scannerFolder.folder, 'keys');
    const [plain, signed] = [join(scannerFolder.folder, 'F.spk'), join(scannerFolder.folder, 'F.spk.signed')];
    await azimuth(['firmware', 'keygen', '--out', keys]);
    await azimuth(['firmware', 'build', '--release', '2.4.4', '--size', '3000000', '--out', plain]);
    await azimuth(['firmware', 'sign', plain, '--key', join(keys, 'firmware-private.pem'), '--out', signed]);
    const scanner = await scannerFolder.start(
      ['--firmware', '2.3.3', '--firmware-key', join(keys, 'firmware-public.pem')],
      { bootTime },
    );

    const refused = await azimuth(['update', plain, '--yes'], scanner);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('UpdateState Error');
    expect(object(await scanner.client().value('DeviceIdent')).Version).toBe('2.3.3.0R');

    const updated = await azimuth(['update', signed, '--yes', '--expect', '2.4.4.0R', '--progress'], scanner);
    expect([updated.stdout, updated.code]).toEqual(['2.3.3.0R → 2.4.4.0R\n', 0]);
    expect(updated.stderr).toContain('Sending 100 % (3.0 MB of 3.0 MB)\n');
    expect(updated.stderr).toContain('The scanner is rebooting …\n');
  });
});

describe('azimuth update of a scanner that loses its power meanwhile', () => {
  it('says so and fails, and the same release again on purpose succeeds', async () => {
    const scannerFolder = new ScannerFolder();
    const keys = join(scannerFolder.folder, 'keys');
    await azimuth(['firmware', 'keygen', '--out', keys]);
    const signed = async (release: string) => {
      const [plain, file] = [`${release}.spk`, `${release}.spk.signed`].map((name) =>
        join(scannerFolder.folder, name),
      );
      await azimuth(['firmware', 'build', '--release', release, '--out', `${plain}`]);
      const key = join(keys, 'firmware-private.pem');
      await azimuth(['firmware', 'sign', `${plain}`, '--key', key, '--out', `${file}`]);
      return `${file}`;
    };
    const [old, next] = [await signed('2.3.3'), await signed('2.4.4')];
    const flags = ['--firmware', '2.3.3', '--firmware-key', join(keys, 'firmware-public.pem')];
    const scanner = await scannerFolder.start(flags, { bootTime });
    const client = scanner.client();

    const updating = azimuth(['update', next, '--yes'], scanner);
    await until(async () => (await client.value('UpdateState')) === 1);
    await scanner.powerCycle();
    const { stdout, stderr, code } = await updating;
    expect([stdout, code]).toEqual(['', 1]);
    expect(stderr).toBe(
      'azimuth: RunFirmwareUpdate: the scanner lost power during the update, and runs 2.3.3.0R as before: install the file again\n',
    );

    const again = await azimuth(['update', old, '--yes'], scanner);
    expect([again.stdout, again.stderr, again.code]).toEqual(['2.3.3.0R → 2.3.3.0R\n', '', 0]);
    const newer = await azimuth(['update', next, '--yes'], scanner);
    expect([newer.stdout, newer.code]).toEqual(['2.3.3.0R → 2.4.4.0R\n', 0]);
  });
});

describe('azimuth certificate', () => {
  it('switches HTTPS on and off, and reports an invalid key', async () => {
    const scannerFolder = new ScannerFolder();
    const scanner = await scannerFolder.start();
    const [chain, key] = [join(scannerFolder.folder, 'chain.pem'), join(scannerFolder.folder, 'key.pem')];
    const bundle = bundleOf([issue({ name: 'gate3.test' })]);
    writeFileSync(chain, bundle.contentCertificateBundle);
    writeFileSync(key, bundleOf([issue()]).contentPrivateKey);
    const wrong = await azimuth(['certificate', 'set', chain, key], scanner);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(/^azimuth: setCertificateBundle: refused \(.*key.*\)\n$/i);
    writeFileSync(key, bundle.contentPrivateKey);
    expect(await azimuth(['certificate', 'set', chain, key], scanner)).toEqual(quiet);
    const shown = await azimuth(['certificate', 'show'], scanner);
    expect(shown.stdout).toMatch(/^https\n {2}enabled +true\n/);
    expect(shown.stdout).toContain('gate3.test');
    expect(await azimuth(['certificate', 'remove', '--yes'], scanner)).toEqual(quiet);
    expect((await azimuth(['certificate', 'show'], scanner)).stdout).toMatch(/^https\n {2}enabled +false\n/);
  });
});

describe('azimuth password and users', () => {
  it('change a password and switch a level', async () => {
    const scannerFolder = new ScannerFolder();
    const scanner = await scannerFolder.start();
    const changed = await azimuth(['password', 'Service'], scanner, { AZIMUTH_NEW_PASSWORD: 'next-4711' });
    expect(changed).toEqual(quiet);
    const next = { AZIMUTH_PASSWORD: 'next-4711' };
    expect(await azimuth(['users', 'enable', 'AuthorizedClient'], scanner, next)).toEqual(quiet);
    const listed = await azimuth(['users', '--user', 'AuthorizedClient'], scanner, {
      AZIMUTH_PASSWORD: 'client',
    });
    expect(listed.stdout).toMatch(/AuthorizedClient +on +logged in/);
    expect((await azimuth(['users', 'disable', 'Service'], scanner, next)).code).toBe(1);
    const old = await azimuth(['users', 'enable', 'Maintenance'], scanner);
    expect([old.code, old.stdout]).toEqual([4, '']);
    expect(statusOf(await scanner.client().call('checkCredentials'))).toBe(4);
  });
});
