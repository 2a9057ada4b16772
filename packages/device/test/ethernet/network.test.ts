import { ethernet, legacyProtocols, measurementDataOutput } from '@azimuth/model';
import { TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';
import type { Device } from '../../src/index.js';

const members = ethernet.members;
const { EtherAuxEnabled, EtherAuxIPPort, EtherHostIPPort, EtherLegacyScanMode } = legacyProtocols.members;
const lease = { address: [10, 0, 0, 42], mask: [255, 255, 0, 0], gateway: [10, 0, 0, 1] };

async function applied(testDevice: TestDevice): Promise<void> {
  (await testDevice.call('EthernetUpdate')).afterwards?.();
}

function useDhcp(testDevice: TestDevice, fallback: 0 | 1 = 0): void {
  testDevice.device.parameters.change((change) =>
    change.set(members.EtherAddressingMode, 1).set(members.EtherDHCPFallback, fallback),
  );
}

function changeLegacy({ device }: TestDevice): void {
  device.parameters.change((change) =>
    change
      .set(EtherAuxEnabled, false)
      .set(EtherAuxIPPort, 3111)
      .set(EtherHostIPPort, 3112)
      .set(EtherLegacyScanMode, 0),
  );
}

function inForce({
  features: {
    network: { active },
  },
}: Device): readonly unknown[] {
  return [EtherAuxEnabled, EtherAuxIPPort, EtherHostIPPort, EtherLegacyScanMode].map((variable) =>
    active.read<unknown>(variable),
  );
}

describe('network settings', () => {
  test('can be read at once, and come into force after the response of EthernetUpdate', async () => {
    const testDevice = await TestDevice.open();
    const { device } = testDevice;
    device.parameters.change((change) => change.set(members.EtherIPAddress, [127, 0, 0, 7]));
    expect(device.read(members.EtherIPAddress)).toEqual([127, 0, 0, 7]);
    expect(device.features.network.active.read(members.EtherIPAddress)).toEqual([192, 168, 0, 1]);
    const { afterwards } = await testDevice.call('EthernetUpdate');
    expect(device.features.network.active.read(members.EtherIPAddress)).toEqual([192, 168, 0, 1]);
    afterwards?.();
    expect(device.features.network.reachable).toMatchObject({ address: [127, 0, 0, 7], source: 'static' });
  });

  test('are the stored ones after a boot', async () => {
    const testDevice = await TestDevice.open();
    testDevice.device.parameters.change((change) => change.set(members.EtherIPAddress, [127, 0, 0, 7]));
    await applied(testDevice);
    await testDevice.reboot();
    expect(testDevice.device.features.network.active.read(members.EtherIPAddress)).toEqual([192, 168, 0, 1]);
  });

  test('come into force by a boot alone below 2.1.0', async () => {
    const testDevice = await TestDevice.open({ release: '1.5.0' });
    expect(testDevice.device.served.endpoints.has('EthernetUpdate')).toBe(false);
    testDevice.device.parameters.change((change) => change.set(members.EtherIPAddress, [127, 0, 0, 7]));
    await testDevice.respond('WriteEeprom');
    expect(testDevice.device.features.network.active.read(members.EtherIPAddress)).toEqual([192, 168, 0, 1]);
    await testDevice.reboot();
    expect(testDevice.device.features.network.active.read(members.EtherIPAddress)).toEqual([127, 0, 0, 7]);
  });
});

describe('the settings of the legacy protocols', () => {
  test('come into force with those of Ethernet, and not before', async () => {
    const testDevice = await TestDevice.open();
    changeLegacy(testDevice);
    expect(inForce(testDevice.device)).toEqual([true, 2111, 2112, 3]);
    await applied(testDevice);
    expect(inForce(testDevice.device)).toEqual([false, 3111, 3112, 0]);
  });

  test('are the stored ones after a boot, and stay in force when the working ones are reset', async () => {
    const testDevice = await TestDevice.open();
    changeLegacy(testDevice);
    await testDevice.respond('WriteEeprom');
    expect(inForce(testDevice.device)).toEqual([true, 2111, 2112, 3]);
    await testDevice.reboot();
    expect(inForce(testDevice.device)).toEqual([false, 3111, 3112, 0]);
    await testDevice.respond('LoadFactoryDefaults');
    expect(inForce(testDevice.device)).toEqual([false, 3111, 3112, 0]);
  });

  test('are at their defaults in force where the release has no such setting', async () => {
    const { device } = await TestDevice.open({ release: '1.5.0' });
    expect(inForce(device)).toEqual([true, 2111, 2112, 3]);
  });
});

test('the settings in force are those of both groups, and no others', async () => {
  const { active } = (await TestDevice.open()).device.features.network;
  const writable = [...Object.values(members), ...Object.values(legacyProtocols.members)].flatMap((member) =>
    member.kind === 'variable' && member.facts.write !== undefined ? [member] : [],
  );
  expect(writable.length).toBe(11);
  for (const variable of writable) expect(() => active.read<unknown>(variable)).not.toThrow();
  expect(() => active.read(members.EtherMACAddress)).toThrow('EtherMACAddress is not a network setting');
  expect(() => active.read(measurementDataOutput.members.ScanDataEnable)).toThrow(TypeError);
});

describe('DHCP', () => {
  test('assigns an address only where the settings in force ask for one', async () => {
    const testDevice = await TestDevice.open();
    const { device } = testDevice;
    testDevice.takeLease(lease);
    expect(device.read(members.EtherIPAddressDHCP)).toEqual([192, 168, 0, 1]);
    useDhcp(testDevice);
    expect(device.read(members.EtherIPAddressDHCP)).toEqual([192, 168, 0, 1]);
    await applied(testDevice);
    expect(device.read(members.EtherIPAddressDHCP)).toEqual(lease.address);
    expect(device.read(members.EtherIPMaskDHCP)).toEqual(lease.mask);
    expect(device.read(members.EtherIPGateAddressDHCP)).toEqual(lease.gateway);
    expect(device.features.network.reachable).toEqual({ ...lease, source: 'DHCP' });
  });

  test('falls back to the static address, or to none, as EtherDHCPFallback says', async () => {
    const testDevice = await TestDevice.open();
    useDhcp(testDevice, 0);
    await applied(testDevice);
    expect(testDevice.device.features.network.reachable).toMatchObject({
      address: [192, 168, 0, 1],
      source: 'static',
    });
    useDhcp(testDevice, 1);
    await applied(testDevice);
    expect(testDevice.device.features.network.reachable).toEqual({ source: 'none' });
    testDevice.takeLease(lease);
    expect(testDevice.device.features.network.reachable).toEqual({ ...lease, source: 'DHCP' });
  });

  test.each([0, 1] as const)(
    'takes an address live, and loses it again, with fallback %i',
    async (fallback) => {
      const testDevice = await TestDevice.open();
      const { device } = testDevice;
      useDhcp(testDevice, fallback);
      await applied(testDevice);
      const without = device.features.network.reachable;
      testDevice.takeLease(lease);
      expect(device.read(members.EtherIPAddressDHCP)).toEqual(lease.address);
      expect(device.features.network.reachable).toEqual({ ...lease, source: 'DHCP' });
      testDevice.takeLease(undefined);
      expect(device.read(members.EtherIPAddressDHCP)).toEqual([192, 168, 0, 1]);
      expect(device.features.network.reachable).toEqual(without);
    },
  );

  test('is there again after a boot, as the world around a scanner is', async () => {
    const testDevice = await TestDevice.open();
    useDhcp(testDevice, 1);
    await testDevice.respond('WriteEeprom');
    testDevice.takeLease(lease);
    await testDevice.reboot();
    expect(testDevice.device.features.network.reachable).toEqual({ ...lease, source: 'DHCP' });
  });

  test('goes when a static address comes into force', async () => {
    const testDevice = await TestDevice.open();
    useDhcp(testDevice);
    testDevice.takeLease(lease);
    await applied(testDevice);
    testDevice.device.parameters.change((change) => change.set(members.EtherAddressingMode, 0));
    await applied(testDevice);
    expect(testDevice.device.read(members.EtherIPAddressDHCP)).toEqual([192, 168, 0, 1]);
    expect(testDevice.device.features.network.reachable).toMatchObject({ source: 'static' });
  });

  test('keeps asking where the scanner was delivered with a release below 2.1.0', async () => {
    const testDevice = await TestDevice.open({ release: '1.5.0' });
    testDevice.device.parameters.change((change) => change.set(members.EtherAddressingMode, 1));
    await testDevice.respond('WriteEeprom');
    await testDevice.reboot();
    expect(testDevice.device.features.network.reachable).toEqual({ source: 'none' });
  });

  test('announces what it assigns and takes away, and nothing that stays as it was', async () => {
    const testDevice = await TestDevice.open();
    const announced: string[] = [];
    const heard = () => announced.splice(0);
    useDhcp(testDevice);
    testDevice.device.announcements.subscribe((changed) =>
      announced.push(...changed.map(({ name }) => name)),
    );
    await applied(testDevice);
    expect(heard()).toEqual([]);
    testDevice.takeLease(lease);
    expect(heard()).toEqual(['EtherIPAddressDHCP', 'EtherIPMaskDHCP', 'EtherIPGateAddressDHCP', 'network']);
    testDevice.takeLease({ ...lease, address: [10, 0, 0, 43] });
    expect(heard()).toEqual(['EtherIPAddressDHCP', 'network']);
    testDevice.takeLease(undefined);
    expect(heard()).toEqual(['EtherIPAddressDHCP', 'EtherIPMaskDHCP', 'EtherIPGateAddressDHCP', 'network']);
  });
});
