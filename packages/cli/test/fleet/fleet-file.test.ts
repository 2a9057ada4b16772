import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { virtualOf } from '@azimuth/fleet';
import { temporaryFolder } from '@azimuth/test-support/files';
import { expect, test } from 'vitest';
import { packedFleet } from '../../src/fleet/applied-fleet.js';
import { scannersOfFile } from '../../src/fleet/fleet-file.js';
import type { FleetPlace } from '../../src/fleet/used-addresses.js';
import { azimuth } from '../run.js';

/** The scanners of a file with this text. */
async function scannersIn(
  text: string,
  more: Readonly<Record<string, string>> = {},
  fleetPlace?: FleetPlace,
) {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(more)) writeFileSync(join(folder, name), content);
  const path = join(folder, 'fleet.yaml');
  writeFileSync(path, text);
  return virtualOf(await scannersOfFile(path, fleetPlace));
}

/** Returns the mistakes in a file: `LINE:COLUMN: message`. */
async function mistakesIn(text: string, fleetPlace?: FleetPlace): Promise<string> {
  const error: unknown = await scannersIn(text, {}, fleetPlace).catch((failure: unknown) => failure);
  if (!(error instanceof Error)) throw new Error('there is no mistake');
  return error.message.replaceAll(/[^ ;]*fleet\.yaml:/g, '');
}

test('a group has so many scanners, with serial numbers, parameters and ports that count up', async () => {
  const scanners = await scannersIn(`
groups:
  hall:
    count: 3
    serial: "23##"
    first: 9
    release: 2.2.0
    scene: gate
    seed: 5
    synchronised: true
    port: 8100
    parameters:
      LocationName: "Hall {n}, {serial}"
      EtherIPAddress: 10.0.0.{n}
      ScanDataEthSettings: {Protocol: UDP, IPAddress: '10.0.1.{n}'}
`);
  expect(scanners.map(({ serial }) => serial)).toEqual(['2309', '2310', '2311']);
  expect(scanners[2]).toMatchObject({
    group: 'hall',
    release: '2.2.0',
    variant: 'full',
    seed: 7,
    synchronised: true,
    parameters: {
      LocationName: 'Hall 3, 2311',
      EtherIPAddress: [10, 0, 0, 3],
      ScanDataEthSettings: { Protocol: 1, IPAddress: [10, 0, 1, 3], Port: 2115 },
    },
    ports: { host: '127.0.0.1', http: 8102 },
  });
  expect(scanners[2]?.scene.name).toBe('Gate');
});

test('a group is synchronised or not', async () => {
  expect(await mistakesIn('groups: {hall: {count: 1, synchronised: 2}}')).toContain('expected true or false');
});

test('ports and addresses that count up must exist', async () => {
  expect(await mistakesIn('groups: {hall: {count: 2, port: 65535}}')).toContain('65535 is the last one');
  expect(await mistakesIn('groups: {hall: {count: 300, address: 127.255.255.1}}')).toContain('128.0.0.0');
  expect(await mistakesIn('groups: {hall: {count: 1, address: 127.0.0.300}}')).toContain(
    'expected a loopback address',
  );
});

test('a group can have an address of its own for each scanner, with the ports of a device', async () => {
  const scanners = await scannersIn('groups: {hall: {count: 3, address: 127.0.1.254}}');
  expect(scanners.map(({ ports }) => ports?.host)).toEqual(['127.0.1.254', '127.0.1.255', '127.0.2.0']);
  expect(scanners[0]?.ports).toMatchObject({ http: 8080, https: 8443, legacyA: 2111, legacyB: 2112 });
});

test('the fleet file of docs/fleet.md can be used', async () => {
  const page = readFileSync(new URL('../../../../docs/fleet.md', import.meta.url), 'utf8');
  const [, text = ''] = /```yaml\n# hall.yaml\n(.*?)```/s.exec(page) ?? [];
  const more = { 'gate.json': '{"name":"gate"}', 'lossy.yaml': 'faults: [{kind: stream-loss}]' };
  const scanners = await scannersIn(text, more);
  expect(scanners.map(({ group }) => group)).toEqual([...Array(40).fill('hall'), ...Array(3).fill('gate')]);
  expect(scanners[39]).toMatchObject({
    serial: '23000040',
    parameters: { LocationName: 'Hall 40', EtherIPAddress: [10, 0, 1, 40] },
  });
  expect(scanners[42]).toMatchObject({
    serial: '77000003',
    release: '2.2.0',
    variant: 'basic',
    ports: { host: '127.0.9.3' },
  });
});

test('the former name of the variant basic is still read', async () => {
  const scanners = await scannersIn('groups: {a: {count: 1, variant: core}, b: {count: 1, variant: basic}}');
  expect(scanners.map(({ variant }) => variant)).toEqual(['basic', 'basic']);
});

test('without a pattern, the scanners of all groups are counted', async () => {
  const scanners = await scannersIn(
    'groups: {a: {count: 2}, b: {count: 1}, c: {count: 1, serial: "X#"}, d: {count: 1, serial: "23450001"}}',
  );
  expect(scanners.map(({ serial }) => serial)).toEqual([
    '00000001',
    '00000002',
    '00000003',
    'X1',
    '23450001',
  ]);
});

test('scenes and faults in files are found beside the fleet file', async () => {
  const scene = JSON.stringify({
    name: 'mine',
    walls: [{ from: [2, -2], to: [2, 2] }],
  });
  const faults = 'faults: [{kind: http-latency, latency: 20}]';
  const more = { 'mine.json': scene, 'lossy.yaml': faults };
  const scanners = await scannersIn('groups: {a: {count: 1, scene: ./mine.json, faults: lossy.yaml}}', more);
  expect(scanners[0]?.scene.name).toBe('mine');
  expect(scanners[0]?.faults).toMatchObject({ faults: [{ kind: 'http-latency', latency: 20 }] });
});

test.each([
  ['', '1:1: expected groups, each with a count: groups: {hall: {count: 20}}'],
  ['groups: {}', '1:1: expected groups'],
  ['groups: {a: {}}', '1:10: a: count is missing'],
  ['groups: {a: {count: 0}}', '1:21: count: expected a whole number from 1 to 100000'],
  ['groups: {"a b": {count: 1}}', '1:10: "a b" is no name of a group: expected letters, digits, ., - and _'],
  ['groups: {a: {count: 1, sene: gate}}', '1:24: there is no member "sene"; did you mean scene?'],
  ['grups: {a: {count: 1}}', 'expected groups'],
  ['groups: {a: {count: 1, release: 2.5.0}}', 'release: expected 1.4.0, 1.5.0'],
  ['groups: {a: {count: 1, release: 2.0.0}}', 'got "2.0.0", which was for another type, the picoScan120'],
  ['groups: {a: {count: 1, variant: half}}', 'variant: expected full, basic or picoScan120, got "half"'],
  ['groups: {a: {count: 1, scene: nowhere}}', 'scene: '],
  ['groups: {a: {count: 1, faults: none.yaml}}', 'none.yaml cannot be read: there is no such file'],
  [
    'groups: {a: {count: 1, address: 10.0.0.1}}',
    'expected a loopback address such as 127.0.1.1, got "10.0.0.1"',
  ],
  ['groups: {a: {count: 2, serial: "2345"}}', 'serial: expected # for the digits of the number that counts'],
  ['groups: {a: {count: 2, serial: "2#3#"}}', 'serial: expected # for digits that stand together'],
  ['groups: {a: {count: 1, serial: "1234567890#"}}', 'a: the serial number "12345678901" has more than 9'],
  [
    'groups: {a: {count: 1, serial: "ab/#"}}',
    'a: the serial number "ab/1" is not allowed: it has 1 to 9 letters from A to Z (also small ones) and digits',
  ],
  [
    'groups: {a: {count: 1, address: 127.0.0.1, port: 8100}, b: {count: 1, address: 127.0.0.1, port: 8200}}',
    'b: 127.0.0.1:8443, for HTTPS, is also used in a; choose another address',
  ],
  [
    'groups: {a: {count: 1, address: 127.0.0.1}, b: {count: 20, port: 2100}}',
    'b: 127.0.0.1:2111 is also used in a; choose port or address so that they differ',
  ],
  [
    'groups: {a: {count: 1, address: 127.0.3.1, port: 2111}}',
    'a: at 127.0.3.1:2111, a scanner would have both HTTP and the legacy protocol; choose another port',
  ],
  [
    'groups: {a: {count: 2, serial: "7#"}, b: {count: 1, serial: "7#"}}',
    'b: the serial number 71 is also in a',
  ],
  ['groups: {a: {count: 5, port: 8100}, b: {count: 1, port: 8104}}', 'b: 127.0.0.1:8104 is also used in a'],
  [
    'groups: {a: {count: 1, parameters: {LocatonName: x}}}',
    'there is no parameter "LocatonName"; did you mean LocationName?',
  ],
  [
    'groups: {a: {count: 1, release: 1.4.0, parameters: {rosDomainId: 1}}}',
    'rosDomainId does not exist in release 1.4.0, variant full',
  ],
  ['groups: {a: {count: 300, parameters: {EtherIPAddress: "10.0.0.{n}"}}}', 'EtherIPAddress[3]: '],
  [
    'groups: {a: {count: 1, parameters: {LocationName: "{n} {number}"}}}',
    '1:51: {number} stands for nothing: expected {n} or {serial}',
  ],
  [
    'groups: {a: {count: 1, parameters: {LocationName: "Hall {n:03}"}}}',
    '1:51: {n:03} stands for nothing: expected {n} or {serial}',
  ],
  [
    'groups: {a: {count: 2}, b: {count: 100000}}',
    '1:36: count: 100000 are too many: the groups before it have 2, and a fleet has at most 100000 scanners',
  ],
  [
    'groups: {a: {count: 2, sene: gate, serial: "7#"}, b: {count: 1, serial: "7#"}}',
    'b: the serial number 71 is also in a',
  ],
])('%s is a mistake with its place', async (text, message) => {
  expect(await mistakesIn(text)).toContain(message);
});

test('the port of the fleet itself is not free for a scanner, where both listen at the same address', async () => {
  const text = 'groups: {a: {count: 5, port: 7998}}';
  const mistake =
    /^1:10: a: 127\.0\.0\.1:8000 is the port of the fleet itself; choose another port or address/;
  for (const host of ['127.0.0.1', 'localhost', '0.0.0.0', '::'])
    expect(await mistakesIn(text, { host, port: 8000 })).toMatch(mistake);
  expect(await scannersIn(text, {}, { host: '127.0.0.2', port: 8000 })).toHaveLength(5);
  expect(await scannersIn(text, {}, { host: '127.0.0.1', port: 0 })).toHaveLength(5);
  expect(
    await scannersIn(
      'groups: {a: {count: 1, address: 127.0.1.1, port: 8000}}',
      {},
      { host: '127.0.0.1', port: 8000 },
    ),
  ).toHaveLength(1);
});

test('what is wrong for many scanners is told once for each place, with the first of them', async () => {
  const text = `
groups:
  hall:
    count: 300
    parameters:
      ScanDataEthSettings: {Protocol: UDP, IPAddress: '10.0.1.{n}'}
      EtherIPAddress: 10.0.{n}.1
      EtherIPGateAddress: 10.0.0.300
`;
  expect((await mistakesIn(text)).split('; ')).toEqual([
    '6:55: ScanDataEthSettings.IPAddress[3]: expected 0 to 255, got 256 (from scanner 256 on)',
    '7:23: EtherIPAddress[2]: expected 0 to 255, got 256 (from scanner 256 on)',
    '8:27: EtherIPGateAddress[3]: expected 0 to 255, got 300',
  ]);
});

test('the command prints each mistake on a line of its own', async () => {
  const path = join(temporaryFolder(), 'fleet.yaml');
  writeFileSync(path, 'groups:\n  a: {count: 0}\n  b: {sene: gate}\n');
  const { stderr, exitCode } = await azimuth('fleet', 'run', path, '--dry-run');
  expect(stderr.split('\n')).toEqual([
    `azimuth: ${path}:2:14: count: expected a whole number from 1 to 100000, got 0`,
    `azimuth: ${path}:3:3: b: count is missing`,
    `azimuth: ${path}:3:7: there is no member "sene"; did you mean scene?`,
    '',
  ]);
  expect(exitCode).toBe(2);
});

const yard = JSON.stringify({
  scanners: [
    { name: 'gate', serial: 'GATE' },
    { name: 'dock', x: 3 },
  ],
});

test('a group with a world has its scanners, on one mount each in the same world', async () => {
  const text = 'groups: {yard: {world: yard.json, serial: "77##"}, hall: {count: 1, scene: gate}}';
  const scanners = await scannersIn(text, { 'yard.json': yard });
  expect(scanners.map(({ serial, mount }) => [serial, mount?.scanner])).toEqual([
    ['GATE', 'gate'],
    ['7702', 'dock'],
    ['00000003', undefined],
  ]);
  const [gate, dock] = scanners;
  expect(gate?.mount?.world).toBe(dock?.mount?.world);
  expect(dock?.mount?.world.scene.scanners[1]?.x).toBe(3);
});

test.each([
  ['{a: {count: 3, world: yard.json}}', 'count: the world has 2 scanners; omit count'],
  ['{a: {world: yard.json, scene: gate}}', 'world: a group has a world or a scene, not both'],
  ['{a: {world: none.json}}', 'none.json: there is no such file'],
  ['{a: {world: empty.json}}', 'world: expected a file with "scanners"'],
  [
    '{a: {count: 1, scene: yard.json}}',
    'scene: a world of several scanners; name it in the member world instead',
  ],
])('%s is a mistake of a world', async (groups, message) => {
  const files = { 'yard.json': yard, 'empty.json': '{}' };
  await expect(scannersIn(`groups: ${groups}`, files)).rejects.toThrow(message);
});

test('a world runs in one process: it is refused for several, and for a database', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'fleet.yaml');
  writeFileSync(path, 'groups: {yard: {world: yard.json}}');
  writeFileSync(join(folder, 'yard.json'), yard);
  await expect(packedFleet(path)).rejects.toThrow(
    'the group yard has a world, whose scanners run in one process: use azimuth fleet run without --processes, and no database',
  );
});
