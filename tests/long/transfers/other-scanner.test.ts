import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataOf } from '@azimuth/test-support/client';
import { azimuth, quiet } from '@azimuth/test-support/command-process';
import { expectDone } from '@azimuth/test-support/envelope';
import { object, parse } from '@azimuth/test-support/json';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { describe, expect, it } from 'vitest';

const passphrase = 'open-sesame-4711';
const whole = ['--with-network', '--with-name'];

/** A scanner with a name and an address of its own. */
async function placed(serial: string, name: string, address: readonly number[]): Promise<ScannerProcess> {
  const scanner = await new ScannerFolder().start(['--serial', serial]);
  const client = scanner.client();
  expectDone(await client.write('LocationName', name));
  expectDone(await client.write('EtherIPAddress', address));
  return scanner;
}

async function whereabouts(scanner: ScannerProcess): Promise<unknown> {
  const client = scanner.client();
  return [await client.value('LocationName'), await client.value('EtherIPAddress')];
}

async function stored(scanner: ScannerProcess): Promise<unknown> {
  const reply = await scanner.client().send({ method: 'GET', path: '/x/stored' });
  return object(object(dataOf(reply)).stored ?? dataOf(reply)).ScanDataEthSettings;
}

const urlOf = ({ httpPort }: ScannerProcess) => `http://127.0.0.1:${httpPort}`;

describe('azimuth restore of a backup of another scanner', () => {
  it.each([
    ['plain', {}],
    ['encrypted', { AZIMUTH_PASSPHRASE: passphrase }],
  ])('leaves name and network alone, and says so with both scanners: %s', async (_, env) => {
    const one = await placed('23450001', 'Gate 3', [192, 168, 0, 7]);
    const two = await placed('23450002', 'Gate 4', [192, 168, 0, 8]);
    expectDone(await one.client().write('ScanDataEthSettings', scanData(2116)));
    const file = join(one.options.folder, 'gate3.json');
    expect(await azimuth(['backup', file], one, env)).toEqual(quiet);
    expect(await azimuth(['restore', file, '--yes'], two, env)).toEqual({
      stdout: '',
      stderr: [
        `azimuth: ${file} is a backup of scanner 23450001 ("Gate 3", 192.168.0.7), and ` +
          `${urlOf(two)} is scanner 23450002 ("Gate 4", 192.168.0.8). ` +
          'It keeps its network settings (--with-network) and its name (--with-name)',
        'PARAMETER                 NOW    THEN',
        'ScanDataEthSettings.Port  2115 → 2116',
        '',
      ].join('\n'),
      code: 0,
    });
    expect(await whereabouts(two)).toEqual(['Gate 4', [192, 168, 0, 8]]);
    expect(await stored(two)).toEqual(scanData(2116));

    // What was the one scanner's own goes back as it always did.
    expectDone(await one.client().write('LocationName', 'elsewhere'));
    expectDone(await one.client().write('EtherIPAddress', [10, 0, 0, 1]));
    expect(await azimuth(['restore', file, '--yes'], one, env)).toEqual(quiet);
    expect(await whereabouts(one)).toEqual(['Gate 3', [192, 168, 0, 7]]);
  });

  it('takes the name alone, the network alone, or both', async () => {
    const one = await placed('23450001', 'Gate 3', [192, 168, 0, 7]);
    const two = await placed('23450002', 'Gate 4', [192, 168, 0, 8]);
    const file = join(one.options.folder, 'gate3.json');
    expect(await azimuth(['backup', file], one)).toEqual(quiet);
    expect((await azimuth(['restore', file, '--yes', '--with-name'], two)).code).toBe(0);
    expect(await whereabouts(two)).toEqual(['Gate 3', [192, 168, 0, 8]]);
    expectDone(await two.client().write('LocationName', 'Gate 4'));
    expect((await azimuth(['restore', file, '--yes', '--with-network'], two)).code).toBe(0);
    expect(await whereabouts(two)).toEqual(['Gate 4', [192, 168, 0, 7]]);
  });

  it('restores everything with both, by the scanner itself, which prints what changes', async () => {
    const one = await placed('23450001', 'Gate 3', [192, 168, 0, 7]);
    const two = await placed('23450002', 'Gate 4', [192, 168, 0, 8]);
    expectDone(await one.client().write('ScanDataEthSettings', scanData(2116)));
    const file = join(one.options.folder, 'gate3.json');
    expect(await azimuth(['backup', file], one)).toEqual(quiet);
    expect(await azimuth(['restore', file, '--yes', ...whole], two)).toEqual({
      stdout: '',
      stderr: [
        'PARAMETER                 NOW           THEN',
        // Name and address come last, as they are written last.
        'ScanDataEthSettings.Port  2115        → 2116',
        'LocationName              Gate 4      → Gate 3',
        'EtherIPAddress            192.168.0.8 → 192.168.0.7',
        '',
      ].join('\n'),
      code: 0,
    });
    expect(await whereabouts(two)).toEqual(['Gate 3', [192, 168, 0, 7]]);

    expectDone(await two.client().write('LocationName', 'Gate 4'));
    const { stdout, stderr } = await azimuth(['restore', file, '--yes', ...whole, '--json'], two);
    expect(object(parse(stdout)).changes).toEqual([{ name: 'LocationName', from: 'Gate 4', to: 'Gate 3' }]);
    expect(stderr).toContain('LocationName  Gate 4 → Gate 3\n');
  });

  it('restores the parts that --filter names', async () => {
    const scanner = await placed('23450001', 'Gate 3', [192, 168, 0, 7]);
    const file = join(scanner.options.folder, 'gate3.json');
    expect(await azimuth(['backup', file], scanner)).toEqual(quiet);
    expectDone(await scanner.client().write('LocationName', 'elsewhere'));
    expectDone(await scanner.client().write('EtherIPAddress', [10, 0, 0, 1]));
    expect(await azimuth(['restore', file, '--yes', '--filter', '2'], scanner)).toEqual(quiet);
    expect(await whereabouts(scanner)).toEqual(['elsewhere', [192, 168, 0, 7]]);
    expect((await azimuth(['restore', file, '--yes', '--filter', '8'], scanner)).code).toBe(2);
  });

  it('without a serial number counts as one if it would change name or address', async () => {
    const one = await placed('23450001', 'Gate 3', [192, 168, 0, 7]);
    const two = await placed('23450002', 'Gate 4', [192, 168, 0, 7]);
    const file = join(one.options.folder, 'gate3.json');
    expect(await azimuth(['backup', file], one)).toEqual(quiet);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"serial number": "23450001",\n/, ''));
    const { stderr, code } = await azimuth(['restore', file, '--yes'], two);
    expect(stderr).toContain(
      'is a backup of a scanner of unknown serial number ("Gate 3", 192.168.0.7), and',
    );
    expect(stderr).toContain('which may be another one: LocationName would change. It keeps its');
    expect(code).toBe(0);
    expect(await whereabouts(two)).toEqual(['Gate 4', [192, 168, 0, 7]]);
    // The scanner that has both already judges the file by itself: its checksum is not that of the file any more.
    const own = await azimuth(['restore', file, '--yes'], one);
    expect(own).toEqual({
      stdout: '',
      stderr:
        'azimuth: RestoreParameterBackup: refused (ChecksumError) – the file was edited or damaged after the scanner made it; make a new backup\n',
      code: 1,
    });
  });

  it('that was edited is refused before anything is written', async () => {
    const one = await placed('23450001', 'Gate 3', [192, 168, 0, 7]);
    const two = await placed('23450002', 'Gate 4', [192, 168, 0, 8]);
    const file = join(one.options.folder, 'gate3.json');
    expect(await azimuth(['backup', file], one)).toEqual(quiet);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"Port":2115', '"Port":2119'));
    const { stderr, code } = await azimuth(['restore', file, '--yes'], two);
    expect(stderr).toContain('was edited or damaged after it was made');
    expect(stderr).toContain('azimuth apply');
    expect(code).toBe(1);
    expect(await two.client().value('ScanDataEthSettings')).toMatchObject({ Port: 2115 });
  });

  it('in a form that only a scanner can read is refused as well', async () => {
    const scanner = await new ScannerFolder().start();
    const file = join(scanner.options.folder, 'other.bin');
    writeFileSync(file, Buffer.from('OTHER\u0000\u0001'));
    const refused = await azimuth(['restore', file, '--yes'], scanner);
    expect(refused.stderr).toContain('only the scanner can read');
    expect(refused.code).toBe(2);
    const judged = await azimuth(['restore', file, '--yes', ...whole], scanner);
    expect(judged.stderr).toBe(
      'azimuth: RestoreParameterBackup: refused (ParseError) – the file is damaged, or no backup file\n',
    );
  });
});

function scanData(port: number) {
  return { Protocol: 1, IPAddress: [192, 168, 0, 100], Port: port };
}
