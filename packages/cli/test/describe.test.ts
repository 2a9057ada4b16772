import { allEndpoints, allFiles } from '@azimuth/model';
import { expect, test } from 'vitest';
import { azimuth } from './run.js';

test('a variable is described with all its facts', async () => {
  const { stdout, exitCode } = await azimuth('describe', 'CurrentTempDev');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^CurrentTempDev – variable of the group Operating data\n/);
  expect(stdout).toMatch(/^type +float$/m);
  expect(stdout).toMatch(/^default +\d+$/m);
  expect(stdout).toMatch(/^unit +°C$/m);
  expect(stdout).toMatch(/^write +nobody: read-only$/m);
  expect(stdout).toMatch(/^since +all releases$/m);
});

test('an enumeration names its values, its default and who may write it', async () => {
  const { stdout } = await azimuth('describe', 'EtherAddressingMode');
  expect(stdout).toMatch(/^type +uint8 of 0 TX_IP_STATIC, 1 TX_IP_DHCP$/m);
  expect(stdout).toMatch(/^default +0 TX_IP_STATIC$/m);
  expect(stdout).toMatch(/^write +AuthorizedClient and above$/m);
  expect(stdout).toMatch(/^stored +yes/m);
});

test('a method is described with its level, request, response and first release', async () => {
  const { stdout } = await azimuth('describe', 'EnableUserLevel');
  expect(stdout).toMatch(/^EnableUserLevel – method of the group General\n/);
  expect(stdout).toMatch(/^level +Service and above$/m);
  expect(stdout).toMatch(/^request\n {2}userLevel +uint8\n {2}isEnabled +boolean$/m);
  expect(stdout).toMatch(/^response\n {2}result +uint8 of 0 SUCCESS, 2 NOT_ACCEPTED$/m);
  expect(stdout).toMatch(/^since +2\.1\.0$/m);
});

test('a list of structs is described member by member, and equal defaults once', async () => {
  const { stdout } = await azimuth('describe', 'PortConfiguration');
  expect(stdout).toMatch(/^type\n {2}array of 8, each\n {4}PortType +uint8 of 0 INPUT/m);
  expect(stdout).toMatch(/^default\n {2}\[0\]\n {4}PortType +1 OUTPUT\n {4}Name +InOut1$/m);
  expect((await azimuth('describe', 'OutputState')).stdout).toMatch(/^ {2}aDigitalOut\n {4}\[0\.\.7\]\n/m);
});

test('a file is described by HTTP method, with its request and response', async () => {
  const { stdout } = await azimuth('describe', 'parameterbackup');
  expect(stdout).toMatch(
    /^parameterbackup – file of the group Backup\/Restore\nThe parameter backup file\.\n/,
  );
  expect(stdout).toMatch(
    /^GET\n {2}what +Sends .*\n {2}produces +application\/json\n {2}token +X-Session-Token, from 2\.3\.1 on$/m,
  );
  expect(stdout).toMatch(/^PUT\n(?: {2}.*\n)* {2}accepts +multipart\/form-data, application\/octet-stream$/m);
  expect(stdout).toMatch(/^ {2}part +datei \(of multipart\/form-data\)$/m);
  expect(stdout).toMatch(/^since +2\.2\.0$/m);
  expect((await azimuth('describe', 'update')).stdout).toMatch(/^ {2}limit +100 MiB$/m);
  const archive = (await azimuth('describe', 'crown/file')).stdout;
  expect(archive).toMatch(/^ {2}query +filePath$/m);
  expect(archive).toMatch(/^ {2}token +none$/m);
  expect(archive).toMatch(/^since +all releases$/m);
});

test('with --json a file has its HTTP methods', async () => {
  expect(JSON.parse((await azimuth('describe', 'update', '--json')).stdout)).toMatchObject({
    name: 'update',
    kind: 'file',
    group: 'Firmware update',
    verbs: { PUT: { accepts: ['application/octet-stream'], tokenSince: '2.3.1' } },
  });
});

test.each([
  ['get', 'variable'],
  ['call', 'method'],
])('%s refuses the name of a file', async (command, wanted) => {
  expect((await azimuth(command, 'update')).stderr).toBe(
    `azimuth: update is a file, not a ${wanted}: azimuth describe update\n`,
  );
});

test('a mistyped name of a file gets a suggestion', async () => {
  expect((await azimuth('describe', 'crown/fil')).stderr).toMatch(/did you mean crown\/file\?\n$/);
});

test('with --json the description is JSON Schema', async () => {
  const { stdout } = await azimuth('describe', 'EtherAddressingMode', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    name: 'EtherAddressingMode',
    kind: 'variable',
    write: 'AuthorizedClient',
    schema: { type: 'integer', enum: [0, 1], default: 0 },
  });
});

test.each([
  ['describe', []],
  ['get', []],
  ['set', ['1.2.3.4']],
])('an unknown name makes %s suggest the nearest', async (command, words) => {
  const { stderr, exitCode } = await azimuth(command, 'etherIPadress', ...words);
  expect(stderr).toMatch(/"etherIPadress"; did you mean EtherIPAddress\?\n$/);
  expect(exitCode).toBe(2);
});

test('every variable, method and file can be described', async () => {
  for (const { name } of [...allEndpoints, ...allFiles]) {
    const text = await azimuth('describe', name);
    expect(text).toMatchObject({ stderr: '', exitCode: 0 });
    expect(text.stdout).not.toMatch(/undefined|\[object/);
    expect(JSON.parse((await azimuth('describe', name, '--json')).stdout)).toMatchObject({ name });
  }
});
