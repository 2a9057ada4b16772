import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { azimuth } from '@azimuth/test-support/command-process';
import { expectDone } from '@azimuth/test-support/envelope';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { object, parse } from '@azimuth/test-support/json';
import { ScannerFolder, ScannerProcess, temporaryFolder } from '@azimuth/test-support/scanner-process';
import { describe, expect, it } from 'vitest';

const urlOf = ({ httpPort }: ScannerProcess) => `http://127.0.0.1:${httpPort}`;

describe('azimuth clone', () => {
  it.each([
    ['2.4.4', 'full'],
    ['1.4.0', 'basic'],
  ])(
    'makes a twin of a scanner of release %s (%s) that has the same parameters',
    async (release, variant) => {
      const flags = ['--firmware', release, '--variant', variant];
      const one = await new ScannerFolder().start([...flags, '--serial', '23450001']);
      expectDone(await one.client().write('LocationName', 'Gate 3'));
      expectDone(await one.client().write('EtherIPAddress', [192, 168, 0, 7]));
      const folder = join(temporaryFolder(), 'twin');
      const { stdout, code } = await azimuth(['clone', urlOf(one), folder, '--json'], one, {
        AZIMUTH_PASSWORD: '',
      });
      expect(code).toBe(0);
      const told = object(parse(stdout));
      expect(told.command).toBe(
        `azimuth serve --data ${folder}${variant === 'basic' ? ' --variant basic' : ''}`,
      );
      expect(JSON.stringify(told.notCloned)).toContain('passwords');

      const twin = await ScannerProcess.start({ folder, flags: ['--variant', variant] });
      expect(await azimuth(['diff', urlOf(one), urlOf(twin)], one)).toMatchObject({ stdout: '', code: 0 });
      expect(await twin.client().value('FirmwareVersion')).toBe(await one.client().value('FirmwareVersion'));
      for (const name of ['SerialNumber', 'EtherMACAddress']) {
        expect(await twin.client().value(name)).not.toEqual(await one.client().value(name));
      }
      expect(await twin.client().value('SerialNumber')).toBe(told.serialNumber);
      expect(statSync(join(folder, 'credentials.json')).mode & 0o077).toBe(0);
    },
  );

  it('gives the twin the same serial number on request, and what the scanner saw', async () => {
    const one = await new ScannerFolder().start(['--serial', '23450001', '--scene', 'gate']);
    const folder = join(temporaryFolder(), 'twin');
    const words = ['clone', urlOf(one), folder, '--same-serial', '--seconds', '1', '--aim'];
    expect((await azimuth(words, one)).code).toBe(0);
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    expect(readme).toContain(`azimuth serve --data ${folder} --replay ${join(folder, 'seen.azrec')}`);
    const twin = await ScannerProcess.start({ folder, flags: ['--replay', join(folder, 'seen.azrec')] });
    expect(await twin.client().value('SerialNumber')).toBe('23450001');
    // What --aim changed for the recording is not cloned.
    expect(await twin.client().value('ScanDataEnable')).toBe(false);
  });

  it('lists what a real scanner does not tell, and what a twin cannot have', async () => {
    const real = await FakeDevice.start();
    real.values.set('SerialNumber', '24500001');
    real.values.set('DeviceIdent', { Name: 'picoScan', Version: '2.4.1.0R' });
    real.values.set('LocationName', 'Yard');
    real.values.set('FREchoFilter', 99);
    real.prepare('/x/fields', { http: 404, raw: '<html>' });
    const folder = join(temporaryFolder(), 'twin');
    const { stdout, code } = await azimuth(['clone', real.url, folder]);
    await real.stop();
    expect(code).toBe(0);
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    for (const text of [stdout, readme]) {
      expect(text).toContain(
        'fields, evaluations and their groups: real scanners do not tell them over REST',
      );
      expect(text).toMatch(/FREchoFilter: .*99/);
    }
    const twin = await ScannerProcess.start({ folder });
    expect(await twin.client().value('LocationName')).toBe('Yard');
  });

  it('never replaces a folder with something in it, and leaves nothing of a failure', async () => {
    const parent = temporaryFolder();
    const folder = join(parent, 'twin');
    mkdirSync(folder);
    writeFileSync(join(folder, 'parameters.json'), '{}');
    const refused = await azimuth(['clone', 'http://127.0.0.1:1', folder]);
    expect(refused.stderr).toContain('is not empty');
    expect(refused.code).toBe(2);
    const lost = await azimuth(['clone', 'http://127.0.0.1:1', join(parent, 'missing', 'twin')]);
    expect(lost.stderr).toBe(
      `azimuth: there is no folder ${join(parent, 'missing')}: make it first, or name another one for the twin\n`,
    );
    expect(lost.code).toBe(2);
    const gone = await azimuth(['clone', 'http://127.0.0.1:1', join(parent, 'other')]);
    expect(gone.code).toBe(3);
    expect(existsSync(join(parent, 'other'))).toBe(false);
    expect(readdirSync(parent)).toEqual(['twin']);
  });
});
