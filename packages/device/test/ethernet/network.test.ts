import { ethernet } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { Bench } from '../bench.js';

const members = ethernet.members;
const lease = { address: [10, 0, 0, 42], mask: [255, 255, 0, 0], gateway: [10, 0, 0, 1] };

async function applied(bench: Bench): Promise<void> {
  (await bench.call('EthernetUpdate')).afterwards?.();
}

function useDhcp(bench: Bench, fallback: 0 | 1 = 0): void {
  bench.device.parameters.change((change) =>
    change.set(members.EtherAddressingMode, 1).set(members.EtherDHCPFallback, fallback),
  );
}

describe('network settings', () => {
  test('can be read at once, and come into force after the answer of EthernetUpdate', async () => {
    const bench = await Bench.open();
    const { device } = bench;
    device.parameters.change((change) => change.set(members.EtherIPAddress, [127, 0, 0, 7]));
    expect(device.read(members.EtherIPAddress)).toEqual([127, 0, 0, 7]);
    expect(device.network.active.address).toEqual([192, 168, 0, 1]);
    const { afterwards } = await bench.call('EthernetUpdate');
    expect(device.network.active.address).toEqual([192, 168, 0, 1]);
    afterwards?.();
    expect(device.network.reachable).toMatchObject({ address: [127, 0, 0, 7], source: 'static' });
  });

  test('are the stored ones after a boot', async () => {
    const bench = await Bench.open();
    bench.device.parameters.change((change) => change.set(members.EtherIPAddress, [127, 0, 0, 7]));
    await applied(bench);
    await bench.reboot();
    expect(bench.device.network.active.address).toEqual([192, 168, 0, 1]);
  });

  test('come into force by a boot alone below 2.1.0', async () => {
    const bench = await Bench.open({ release: '1.5.0' });
    expect(bench.device.endpoints.has('EthernetUpdate')).toBe(false);
    bench.device.parameters.change((change) => change.set(members.EtherIPAddress, [127, 0, 0, 7]));
    await bench.respond('WriteEeprom');
    expect(bench.device.network.active.address).toEqual([192, 168, 0, 1]);
    await bench.reboot();
    expect(bench.device.network.active.address).toEqual([127, 0, 0, 7]);
  });
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

  test('announces what it assigns', async () => {
    const bench = await Bench.open();
    useDhcp(bench);
    await applied(bench);
    const announced: unknown[] = [];
    bench.device.announcements.subscribe((changed) => announced.push(...changed));
    bench.device.network.offer(lease);
    expect(announced).toContain(members.EtherIPAddressDHCP);
  });
});
