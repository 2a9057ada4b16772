import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@azimuth/test-support/files';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { azimuth } from './run.js';

let folder: string;
let devices: string;
let csv: string;

beforeEach(() => {
  folder = temporaryFolder();
  devices = join(folder, 'devices.yaml');
  csv = join(folder, 'netbox.csv');
  vi.stubEnv('AZIMUTH_DEVICES', devices);
});

function imported(text: string, ...words: readonly string[]) {
  writeFileSync(csv, text);
  return azimuth('devices', 'import', csv, ...words);
}

async function listed(): Promise<unknown> {
  return JSON.parse((await azimuth('devices', 'list', '--json')).stdout);
}

const netbox = `name,status,site,location,rack,serial,primary_ip4
gate1,Active,Hall A,North,,24500001,10.0.0.1/24
"Gate ""2""",Active,Hall A,North,R 3,24500002,10.0.0.2/24
camera,Active,Hall A,,,,
`;

describe('azimuth devices import', () => {
  test('gives the scanners of an export of NetBox names, with sites as groups', async () => {
    const { stdout, stderr, exitCode } = await imported(netbox);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('@Hall-A/North/gate1');
    expect(stderr).toContain(`2 scanners added to ${devices}, 1 without an address`);
    expect(await listed()).toMatchObject([
      { name: 'Hall-A/North/gate1', url: 'http://10.0.0.1' },
      { name: 'Hall-A/North/R-3/Gate-2', url: 'http://10.0.0.2' },
    ]);
    expect(readFileSync(devices, 'utf8')).toContain('serial: "24500002"');
    expect(statSync(devices).mode & 0o777).toBe(0o600);
  });

  test('shows what it would add with --dry-run, and changes nothing', async () => {
    const { stdout, stderr } = await imported(netbox, '--dry-run');
    expect(stdout).toContain('http://10.0.0.2');
    expect(stderr).toContain('2 scanners would be added');
    expect(existsSync(devices)).toBe(false);
  });

  test('keeps the scanners that are there, and what the file says about them', async () => {
    await imported(netbox);
    const gate = ['Hall-A/North/gate1', 'http://10.0.0.1'];
    await azimuth('devices', 'add', ...gate, '--user', 'Maintenance', '--force');
    expect((await imported(netbox)).stderr).toContain('0 scanners added');
    const moved = netbox.replace('10.0.0.1/', '10.0.0.9/');
    const { stderr, exitCode } = await imported(moved);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      'netbox.csv:2: Hall-A/North/gate1 is there already, for http://10.0.0.1: use --force to replace it. Nothing was changed',
    );
    expect((await imported(moved, '--force')).exitCode).toBe(0);
    expect(await listed()).toContainEqual(
      expect.objectContaining({ name: gate[0], url: 'http://10.0.0.9', user: 'Maintenance' }),
    );
  });

  test('takes other heads, also with semicolons and a byte order mark', async () => {
    const text = '\ufeffGerät;Halle;Adresse\nTor 3;Süd;gate3.example.com:8080\n';
    const words = ['name=Gerät', 'url=adresse', 'group=Halle'].flatMap((word) => ['--column', word]);
    expect((await imported(text, ...words)).exitCode).toBe(0);
    expect(await listed()).toMatchObject([{ name: 'Sud/Tor-3', url: 'http://gate3.example.com:8080' }]);
  });

  test.each([
    ['a column that is missing', 'name,ip\na,10.0.0.1\n', [], 'has no column url, primary_ip4'],
    ['a named column', netbox, ['--column', 'url=Adress'], 'has no column "Adress": it has name, status'],
    ['another word', netbox, ['--column', 'IP=a'], '--column: expected name, url, serial, group and a head'],
    [
      'two of a name',
      'name,url\na,10.0.0.1\nA b,10.0.0.2\nA-b,10.0.0.3\n',
      [],
      'netbox.csv:4: the name A-b is there twice: first in line 3',
    ],
    [
      'two of an address',
      'name,url\na,10.0.0.1\nb,http://10.0.0.1/\n',
      [],
      'netbox.csv:3: the address http://10.0.0.1 is there twice: first in line 2',
    ],
    [
      'two of a serial number',
      'name,url,serial\na,10.0.0.1,7\nb,10.0.0.2,7\n',
      [],
      'netbox.csv:3: the serial 7 is there twice: first in line 2',
    ],
    ['no address', 'name,url\na,10.0.0.1; reboot\n', [], ':2: expected an address, got "10.0.0.1; reboot"'],
    ['a password in a URL', 'name,url\na,http://me:you@10.0.0.1\n', [], ':2: expected an address'],
    ['no name', 'name,url\n***,10.0.0.1\n', [], 'netbox.csv:2: the name is empty, or too long'],
    ['an open quote', 'name,url\n"a,10.0.0.1\n', [], 'is no CSV'],
    ['an empty file', '', [], 'is empty'],
  ])('refuses %s, and changes nothing', async (_, text, words, message) => {
    const { stderr, exitCode } = await imported(text, ...words);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
    expect(existsSync(devices)).toBe(false);
  });

  test('makes neither YAML nor a command nor a formula of hostile cells', async () => {
    const hostile = [
      'name,url,serial',
      '"=cmd|calc","10.0.0.1","!!js/function ""x"""',
      '"a: {b","10.0.0.2","1\npassword-command: touch /tmp/x"',
      '"../../etc/passwd","10.0.0.3","$(reboot)"',
      '"\u001b[2J","10.0.0.4","&a *a"',
    ];
    const { stdout, exitCode } = await imported(`${hostile.join('\n')}\n`);
    expect(exitCode).toBe(0);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(await listed()).toEqual([
      { name: 'cmd-calc', url: 'http://10.0.0.1', groups: [] },
      { name: 'a-b', url: 'http://10.0.0.2', groups: [] },
      { name: 'etc-passwd', url: 'http://10.0.0.3', groups: [] },
      { name: '2J', url: 'http://10.0.0.4', groups: [] },
    ]);
  });
});
