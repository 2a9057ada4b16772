import { expect, test } from 'vitest';
import { type HostProbes, hostSituation } from '../../src/doctor/host-situation.js';

/** A computer with these files. */
function computer(files: Readonly<Record<string, string>>, more: Partial<HostProbes> = {}): HostProbes {
  return {
    platform: 'linux',
    read: (path) => files[path] ?? '',
    exists: (path) => Object.hasOwn(files, path),
    networkCategories: async () => '',
    ...more,
  };
}

const wsl = { '/proc/version': 'Linux version 5.15.153.1-microsoft-standard-WSL2 (root@x) #1 SMP' };
const bridge = 'Iface\tDestination\tGateway\tFlags\neth0\t00000000\t010011AC\t0003\n';

test.each([
  ['Linux', {}, undefined],
  ['Linux at a router', { '/proc/net/route': 'eth0\t00000000\t0100A8C0\t0003\n' }, undefined],
  ['WSL2', wsl, 'WSL2'],
  ['a container of Docker', { '/.dockerenv': '' }, 'container'],
  ['a container on Windows, which has the kernel of WSL2', { ...wsl, '/.dockerenv': '' }, 'container'],
  ['a container of Podman', { '/run/.containerenv': '' }, 'container'],
  ['a container that its cgroup tells', { '/proc/1/cgroup': '0::/kubepods/pod1' }, 'container'],
  ['a container that its default route tells', { '/proc/net/route': bridge }, 'container'],
] as const)('%s', async (_, files, situation) => {
  expect(await hostSituation(computer(files))).toBe(situation);
});

test.each([
  ['Private\r\nPublic\r\n', 'public network'],
  ['Private\r\nDomainAuthenticated\r\n', undefined],
  ['', undefined],
] as const)('Windows with networks %j', async (categories, situation) => {
  const windows = computer({}, { platform: 'win32', networkCategories: async () => categories });
  expect(await hostSituation(windows)).toBe(situation);
});

test('other systems are asked for nothing', async () => {
  expect(await hostSituation(computer({ '/.dockerenv': '' }, { platform: 'darwin' }))).toBeUndefined();
});
