import { ethernet, legacyProtocols, measurementDataOutput } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { Bench } from '../../../../tests/support/device-test-bench.js';
import type { Device } from '../../src/index.js';

const members = ethernet.members;
const { EtherAuxEnabled, EtherAuxIPPort, EtherHostIPPort, EtherLegacyScanMode } = legacyProtocols.members;
const lease = { address: [10, 0, 0, 42], mask: [255, 255, 0, 0], gateway: [10, 0, 0, 1] };

async function applied(bench: Bench): Promise<void> {
  (await bench.call('EthernetUpdate')).afterwards?.();
}

function useDhcp(bench: Bench, fallback: 0 | 1 = 0): void {
  bench.device.parameters.change((change) =>
    change.set(members.EtherAddressingMode, 1).set(members.EtherDHCPFallback, fallback),
  );
}

function changeLegacy({ device }: Bench): void {
  device.parameters.change((change) =>
    change
      .set(EtherAuxEnabled, false)
      .set(EtherAuxIPPort, 3111)
      .set(EtherHostIPPort, 3112)
      .set(EtherLegacyScanMode, 0),
  );
}

function inForce({ network: { active } }: Device): readonly unknown[] {
  return [EtherAuxEnabled, EtherAuxIPPort, EtherHostIPPort, EtherLegacyScanMode].map((variable) =>
    active.read<unknown>(variable),
  );
}

describe('network settings', () => {
  test('can be read at once, and come into force after the answer of EthernetUpdate', async () => {
    const bench = await Bench.open();
    const { device } = bench;
    device.parameters.change((change) => change.set(members.EtherIPAddress, [127, 0, 0, 7]));
    expect(device.read(members.EtherIPAddress)).toEqual([127, 0, 0, 7]);
    expect(device.network.active.read(members.EtherIPAddress)).toEqual([192, 168, 0, 1]);
    const { afterwards } = await bench.call('EthernetUpdate');
    expect(device.network.active.read(members.EtherIPAddress)).toEqual([192, 168, 0, 1]);
    afterwards?.();
    expect(device.network.reachable).toMatchObject({ address: [127, 0, 0, 7], source: 'static' });
  });

  test('are the stored ones after a boot', async () => {
    const bench = await Bench.open();
    bench.device.parameters.change((change) => change.set(members.EtherIPAddress, [127, 0, 0, 7]));
    await applied(bench);
    await bench.reboot();
    expect(bench.device.network.active.read(members.EtherIPAddress)).toEqual([192, 168, 0, 1]);
  });

  test('come into force by a boot alone below 2.1.0', async () => {
    const bench = await Bench.open({ release: '1.5.0' });
    expect(bench.device.endpoints.has('EthernetUpdate')).toBe(false);
    bench.device.parameters.change((change) => change.set(members.EtherIPAddress, [127, 0, 0, 7]));
    await bench.respond('WriteEeprom');
    expect(bench.device.network.active.read(members.EtherIPAddress)).toEqual([192, 168, 0, 1]);
    await bench.reboot();
    expect(bench.device.network.active.read(members.EtherIPAddress)).toEqual([127, 0, 0, 7]);
  });
});

describe('the settings of the legacy protocols', () => {
  test('come into force with those of Ethernet, and not before', async () => {
    const bench = await Bench.open();
    changeLegacy(bench);
    expect(inForce(bench.device)).toEqual([true, 2111, 2112, 3]);
    await applied(bench);
    expect(inForce(bench.device)).toEqual([false, 3111, 3112, 0]);
  });

  test('are the stored ones after a boot, and stay in force when the working ones are reset', async () => {
    const bench = await Bench.open();
    changeLegacy(bench);
    await bench.respond('WriteEeprom');
    expect(inForce(bench.device)).toEqual([true, 2111, 2112, 3]);
    await bench.reboot();
    expect(inForce(bench.device)).toEqual([false, 3111, 3112, 0]);
    await bench.respond('LoadFactoryDefaults');
    expect(inForce(bench.device)).toEqual([false, 3111, 3112, 0]);
  });

  test('are at their defaults in force where the release has no such setting', async () => {
    const { device } = await Bench.open({ release: '1.5.0' });
    expect(inForce(device)).toEqual([true, 2111, 2112, 3]);
  });
});

test('the settings in force are those of both groups, and no others', async () => {
  const { active } = (await Bench.open()).device.network;
  const writable = [...Object.values(members), ...Object.values(legacyProtocols.members)].flatMap((member) =>
    member.kind === 'variable' && member.facts.write !== undefined ? [member] : [],
  );
  expect(writable.length).toBe(11);
  for (const variable of writable) expect(() => active.read<unknown>(variable)).not.toThrow();
  expect(() => active.read(members.EtherMACAddress)).toThrow('EtherMACAddress is no network setting');
  expect(() => active.read(measurementDataOutput.members.ScanDataEnable)).toThrow(TypeError);
});

describe('simulated DHCP', () => {
  test('assigns an address only where the settings in force ask for one', async () => {
    const bench = await Bench.open();
    const { device } = bench;
    device.network.offer(lease);
    expect(device.read(members.EtherIPAddressDHCP)).toEqual([192, 168, 0, 1]);
    useDhcp(bench);
    expect(device.read(members.EtherIPAddressDHCP)).toEqual([192, 168, 0, 1]);
    await applied(bench);
    expect(device.read(members.EtherIPAddressDHCP)).toEqual(lease.address);
    expect(device.read(members.EtherIPMaskDHCP)).toEqual(lease.mask);
    expect(device.read(members.EtherIPGateAddressDHCP)).toEqual(lease.gateway);
    expect(device.network.reachable).toEqual({ ...lease, source: 'DHCP' });
  });

  test('falls back to the static address, or to none, as EtherDHCPFallback says', async () => {
    const bench = await Bench.open();
    useDhcp(bench, 0);
    await applied(bench);
    expect(bench.device.network.reachable).toMatchObject({ address: [192, 168, 0, 1], source: 'static' });
    useDhcp(bench, 1);
    await applied(bench);
    expect(bench.device.network.reachable).toEqual({ source: 'none' });
    bench.device.network.offer(lease);
    expect(bench.device.network.reachable).toEqual({ ...lease, source: 'DHCP' });
  });

  test.each([0, 1] as const)(
    'takes an address live, and loses it again, with fallback %i',
    async (fallback) => {
      const bench = await Bench.open();
      const { device } = bench;
      useDhcp(bench, fallback);
      await applied(bench);
      const without = device.network.reachable;
      device.network.offer(lease);
      expect(device.read(members.EtherIPAddressDHCP)).toEqual(lease.address);
      expect(device.network.reachable).toEqual({ ...lease, source: 'DHCP' });
      device.network.offer(undefined);
      expect(device.read(members.EtherIPAddressDHCP)).toEqual([192, 168, 0, 1]);
      expect(device.network.reachable).toEqual(without);
    },
  );

  test('is there again after a boot, as the world around a scanner is', async () => {
    const bench = await Bench.open();
    useDhcp(bench, 1);
    await bench.respond('WriteEeprom');
    bench.device.network.offer(lease);
    await bench.reboot();
    expect(bench.device.network.reachable).toEqual({ ...lease, source: 'DHCP' });
  });

  test('goes when a static address comes into force', async () => {
    const bench = await Bench.open();
    useDhcp(bench);
    bench.device.network.offer(lease);
    await applied(bench);
    bench.device.parameters.change((change) => change.set(members.EtherAddressingMode, 0));
    await applied(bench);
    expect(bench.device.read(members.EtherIPAddressDHCP)).toEqual([192, 168, 0, 1]);
    expect(bench.device.network.reachable).toMatchObject({ source: 'static' });
  });

  test('keeps asking where the scanner was delivered with a release below 2.1.0', async () => {
    const bench = await Bench.open({ release: '1.5.0' });
    bench.device.parameters.change((change) => change.set(members.EtherAddressingMode, 1));
    await bench.respond('WriteEeprom');
    await bench.reboot();
    expect(bench.device.network.reachable).toEqual({ source: 'none' });
  });

  test('announces what it assigns and takes away, and nothing that stays as it was', async () => {
    const bench = await Bench.open();
    const announced: string[] = [];
    const heard = () => announced.splice(0);
    useDhcp(bench);
    bench.device.announcements.subscribe((changed) => announced.push(...changed.map(({ name }) => name)));
    await applied(bench);
    expect(heard()).toEqual([]);
    bench.device.network.offer(lease);
    expect(heard()).toEqual(['EtherIPAddressDHCP', 'EtherIPMaskDHCP', 'EtherIPGateAddressDHCP']);
    bench.device.network.offer({ ...lease, address: [10, 0, 0, 43] });
    expect(heard()).toEqual(['EtherIPAddressDHCP']);
    bench.device.network.offer(undefined);
    expect(heard()).toEqual(['EtherIPAddressDHCP', 'EtherIPMaskDHCP', 'EtherIPGateAddressDHCP']);
  });
});
