import { FolderStorage, SystemClock, SystemRandom } from '@azimuth/device';
import { Device } from '@azimuth/device/device';
import { ethernet } from '@azimuth/model';
import { Reader, serve, temporaryFolder } from '@azimuth/test-support/serve-process';
import { describe, expect, test } from 'vitest';
import { leaseOption } from '../../src/options/option-values.js';
import { azimuth } from '../run.js';

const { EtherIPAddress, EtherAddressingMode, EtherDHCPFallback } = ethernet.members;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The folder of a scanner that has this address, or uses DHCP and nothing else. */
async function folderOf(address: readonly number[] | 'DHCP', enableWebserver = true): Promise<string> {
  const folder = temporaryFolder();
  const device = await Device.open({
    identity: { serialNumber: '1' },
    clock: new SystemClock(),
    random: new SystemRandom(),
    storage: await FolderStorage.open(folder),
    hardware: { log: silent, temperature: () => 20 },
    core: { start() {}, stop() {} },
    variant: 'full',
  });
  device.parameters.change((change) =>
    address === 'DHCP'
      ? change.set(EtherAddressingMode, 1).set(EtherDHCPFallback, 1)
      : change.set(EtherIPAddress, address),
  );
  await device.features.saving.storeWorking();
  await device.features.webserver.set(enableWebserver);
  await device.close();
  return folder;
}

/** The output for people at the start, with the log. */
async function started(folder: string, ...flags: readonly string[]) {
  const child = serve({ flags: ['--data', folder, '--host', '127.0.0.2', ...flags] });
  const [stdout, stderr] = [new Reader(child.stdout), new Reader(child.stderr)];
  await stdout.until((text) => text.includes('  folder   '));
  await stderr.until((text) => text.includes('factory password'));
  return { stdout: stdout.text, stderr: stderr.text };
}

describe('the welcome has the address at which the scanner listens', () => {
  test('at the address in force with --network rebind', async () => {
    const { stdout, stderr } = await started(await folderOf([127, 0, 0, 5]), '--network', 'rebind');
    expect(stdout).toMatch(/^ {2}REST {5}http:\/\/127\.0\.0\.5:\d+\/api$/m);
    expect(stdout).toMatch(/^ {2}try {6}curl http:\/\/127\.0\.0\.5:\d+\/api\/DeviceIdent$/m);
    expect(stderr).not.toContain('no effect');
  });

  test('at --host if this machine does not have the address in force, and the log contains the reason', async () => {
    const { stdout, stderr } = await started(await folderOf([192, 0, 2, 1]), '--network', 'rebind');
    expect(stdout).toMatch(/^ {2}REST {5}http:\/\/127\.0\.0\.2:\d+\/api$/m);
    expect(stderr).toMatch(/ERROR The web server cannot listen at 192\.0\.2\.1, the address in force/);
  });

  test('at --host without it', async () => {
    const { stdout } = await started(await folderOf([127, 0, 0, 5]));
    expect(stdout).toMatch(/^ {2}REST {5}http:\/\/127\.0\.0\.2:\d+\/api$/m);
  });

  test('nowhere while it has no address', async () => {
    const { stdout, stderr } = await started(await folderOf('DHCP'), '--network', 'rebind');
    expect(stdout).toMatch(/^ {2}REST {5}off: the scanner has no address until DHCP offers one$/m);
    expect(stdout).not.toContain('curl');
    expect(stderr).toContain('WARN The web server does not listen');
  });

  test('at the address that --dhcp offers', async () => {
    const flags = ['--network', 'rebind', '--dhcp', '127.0.0.6/8'];
    const { stdout } = await started(await folderOf('DHCP'), ...flags);
    expect(stdout).toMatch(/^ {2}REST {5}http:\/\/127\.0\.0\.6:\d+\/api$/m);
  });

  test('nowhere with the web server switched off', async () => {
    const { stdout } = await started(await folderOf([127, 0, 0, 5], false), '--network', 'rebind');
    expect(stdout).toMatch(
      /^ {2}REST {5}off \(SetWebserverEnabled\)\. To switch it on: --enable-webserver$/m,
    );
  });
});

describe('--dhcp', () => {
  test.each([
    ['10.0.0.42', [10, 0, 0, 42], [255, 255, 255, 0], [0, 0, 0, 0]],
    ['10.0.0.42/8', [10, 0, 0, 42], [255, 0, 0, 0], [0, 0, 0, 0]],
    ['10.0.0.42/20,10.0.0.1', [10, 0, 0, 42], [255, 255, 240, 0], [10, 0, 0, 1]],
    ['10.0.0.42,10.0.0.1', [10, 0, 0, 42], [255, 255, 255, 0], [10, 0, 0, 1]],
    ['10.0.0.42/32', [10, 0, 0, 42], [255, 255, 255, 255], [0, 0, 0, 0]],
    ['10.0.0.42/0', [10, 0, 0, 42], [0, 0, 0, 0], [0, 0, 0, 0]],
  ])('%s', (typed, address, mask, gateway) => {
    expect(leaseOption(typed)).toEqual({ address, mask, gateway });
  });

  test.each(['', '10.0.0', '10.0.0.256', '10.0.0.42/33', '10.0.0.42/', '10.0.0.42,x', '::1', '10.0.0.42/8,'])(
    '%j is refused with what is expected',
    async (typed) => {
      const { stderr, exitCode } = await azimuth('serve', '--dhcp', typed);
      expect(stderr).toContain('Expected an address like 10.0.0.42/24 or 10.0.0.42/24,10.0.0.1.');
      expect(exitCode).toBe(2);
    },
  );
});
