import { azimuth } from '@azimuth/test-support/command-process';
import { expectData, expectDone } from '@azimuth/test-support/envelope';
import { object, parse } from '@azimuth/test-support/json';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { expect, it } from 'vitest';

const scanner = sharedScanner();

it('azimuth get x/stored prints the stored values, each in its form', async () => {
  const client = scanner().client();
  expectDone(await client.write('LocationName', 'Gate 3'));
  expectData(await client.call('WriteEeprom'), { Success: true });
  expectDone(await client.write('LocationName', 'not stored'));
  const { stdout, stderr, code } = await azimuth(['get', 'x/stored'], scanner());
  expect([stderr, code]).toEqual(['', 0]);
  expect(stdout).toMatch(/^LocationName +Gate 3$/m);
  expect(stdout).toMatch(/^EtherIPAddress +192\.168\.0\.1$/m);
  expect(stdout).toMatch(/^EtherAddressingMode +0 TX_IP_STATIC$/m);
  expect(stdout).toMatch(/^ScanDataEthSettings\n {2}Protocol +1 UDP$/m);
});

it('with --json it prints the reply of the scanner under its name', async () => {
  const { stdout } = await azimuth(['get', 'x/stored', '--json'], scanner());
  const response = await scanner().client().send({ method: 'GET', path: '/x/stored' });
  expect(parse(stdout)).toEqual({ 'x/stored': object(parse(response.text)).data });
  const several = await azimuth(['get', 'x/stored', 'LocationName', '--json'], scanner());
  expect(Object.keys(object(parse(several.stdout)))).toEqual(['x/stored', 'LocationName']);
});

it('it is described, is read-only, and does not exist on legacy interfaces', async () => {
  expect((await azimuth(['describe', 'x/stored'])).stdout).toContain('nobody: read-only');
  const written = await azimuth(['set', 'x/stored', '{}'], scanner());
  expect([written.stderr, written.code]).toEqual(['azimuth: x/stored is read-only\n', 2]);
  const device = `cola://127.0.0.1:${scanner().readyLine.legacyA}`;
  for (const name of ['x/stored', 'x/fields']) {
    const { stderr, code } = await azimuth(['get', name, '--device', device]);
    expect(stderr).toBe(
      `azimuth: ${name} needs http:// or https://: the legacy protocol has no extensions\n`,
    );
    expect(code).toBe(2);
  }
});
