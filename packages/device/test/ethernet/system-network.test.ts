import { ethernet, extensions, legacyProtocols, NetworkSource, status } from '@azimuth/model';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { LogBook } from '@azimuth/test-support/log-book';
import { TestDevice } from '@azimuth/test-support/test-device';
import { latch, promisesSettled } from '@azimuth/test-support/waiting';
import { describe, expect, onTestFinished, test } from 'vitest';
import { applyLimit } from '../../src/ethernet/system-network.js';
import type { AddressSet, NetworkHardware, NetworkSettings } from '../../src/index.js';

const { DeviceStatus } = status.members;
const { EtherIPAddress, EtherIPAddressDHCP, EtherAddressingMode, EtherDHCPFallback } = ethernet.members;
const { EtherAuxIPPort } = legacyProtocols.members;
const { network } = extensions.members;

const delivered: NetworkSettings = {
  addressing: 'static',
  address: { address: [192, 168, 0, 1], mask: [255, 255, 255, 0], gateway: [0, 0, 0, 0] },
  fallback: 'static',
};

function withAddress(address: readonly number[]): NetworkSettings {
  return { ...delivered, address: { ...delivered.address, address } };
}

/** A scanner whose system has this network. */
async function boardWith(hardwareNetwork: NetworkHardware, storage = new FaultyStorage()) {
  const log = new LogBook();
  const hardware = { log, temperature: () => 32.5, onChange: () => undefined, network: hardwareNetwork };
  const board = await TestDevice.open({ hardware }, storage);
  const { device } = board;
  return {
    board,
    storage,
    failures: () => log.lines.filter(({ severity }) => severity !== 'info'),
    state: () => device.read(network),
    deviceStatus: () => device.read(DeviceStatus),
    address: () => device.features.network.active.read(EtherIPAddress),
    /** Writes an address, and puts it into force as clients do. */
    update: async (address: readonly number[]) => {
      device.parameters.change((change) => change.set(EtherIPAddress, address));
      (await board.call('EthernetUpdate')).afterwards?.();
      await promisesSettled();
    },
  };
}

/** A network that keeps the settings that it was given. */
function recorder() {
  const applied: NetworkSettings[] = [];
  return { applied, network: { apply: (settings: NetworkSettings) => void applied.push(settings) } };
}

describe('the network of the system', () => {
  test('gets the stored settings at the start, and the written ones after the response of EthernetUpdate', async () => {
    const { applied, network: hardwareNetwork } = recorder();
    const { board, address } = await boardWith(hardwareNetwork);
    expect(applied).toEqual([delivered]);
    board.device.parameters.change((change) => change.set(EtherIPAddress, [10, 0, 0, 7]));
    const { afterwards } = await board.call('EthernetUpdate');
    expect(applied).toHaveLength(1);
    afterwards?.();
    expect(applied.slice(1)).toEqual([withAddress([10, 0, 0, 7])]);
    expect(address()).toEqual([10, 0, 0, 7]);
  });

  test('gets them at a boot if they differ, and not again if it has them', async () => {
    const { applied, network: hardwareNetwork } = recorder();
    const { board, update } = await boardWith(hardwareNetwork);
    await board.reboot();
    expect(applied).toEqual([delivered]);
    await update([10, 0, 0, 7]);
    await update([10, 0, 0, 7]);
    board.device.parameters.change((change) => change.set(EtherAuxIPPort, 3111));
    await update([10, 0, 0, 7]);
    expect(board.device.features.network.active.read(EtherAuxIPPort)).toBe(3111);
    expect(applied.slice(1)).toEqual([withAddress([10, 0, 0, 7])]);
    await board.reboot();
    expect(applied.slice(2)).toEqual([delivered]);
  });

  test('gets the addressing mode and its fallback', async () => {
    const { applied, network: hardwareNetwork } = recorder();
    const { board, update } = await boardWith(hardwareNetwork);
    board.device.parameters.change((change) => change.set(EtherAddressingMode, 1).set(EtherDHCPFallback, 1));
    await update([192, 168, 0, 1]);
    expect(applied.at(-1)).toEqual({ ...delivered, addressing: 'DHCP', fallback: 'none' });
  });

  test('has them before they are in force', async () => {
    const done = latch();
    let calls = 0;
    const { board, address, update, state } = await boardWith({
      apply: () => (++calls === 1 ? undefined : done.opened),
    });
    const announced: string[] = [];
    board.device.announcements.subscribe((changed) => announced.push(...changed.map(({ name }) => name)));
    await update([10, 0, 0, 7]);
    expect(address()).toEqual([192, 168, 0, 1]);
    expect(state()).toMatchObject({ Source: NetworkSource.STATIC, Address: [192, 168, 0, 1], Fault: '' });
    announced.length = 0;
    done.open();
    await promisesSettled();
    expect(address()).toEqual([10, 0, 0, 7]);
    expect(state()).toMatchObject({ Source: NetworkSource.STATIC, Address: [10, 0, 0, 7], Fault: '' });
    expect(announced).toEqual(['network']);
  });

  test('gets one change after the other: of those that come meanwhile, the latest', async () => {
    const done = latch();
    const applied: NetworkSettings[] = [];
    const { update, address } = await boardWith({
      apply: async (settings) => {
        applied.push(settings);
        if (applied.length === 2) await done.opened;
      },
    });
    await promisesSettled();
    await update([10, 0, 0, 2]);
    await update([10, 0, 0, 3]);
    await update([10, 0, 0, 4]);
    expect(applied).toHaveLength(2);
    done.open();
    await promisesSettled();
    expect(applied.slice(1)).toEqual([withAddress([10, 0, 0, 2]), withAddress([10, 0, 0, 4])]);
    expect(address()).toEqual([10, 0, 0, 4]);
  });
});

const failures: Readonly<Record<string, NetworkHardware['apply']>> = {
  throws: () => {
    throw new Error('ip: permission denied');
  },
  rejects: async () => Promise.reject(new Error('ip: permission denied')),
};

describe('settings that the system refuses', () => {
  test.each(Object.entries(failures))('because it %s leave the old ones in force', async (_, fail) => {
    let isBroken = false;
    const { board, update, address, state, deviceStatus, failures } = await boardWith({
      apply: (settings) => (isBroken ? fail?.(settings) : undefined),
    });
    const followed: unknown[] = [];
    board.device.features.network.onActivated(({ source }) => followed.push(source));
    isBroken = true;
    await update([10, 0, 0, 7]);
    expect([address(), deviceStatus()]).toEqual([[192, 168, 0, 1], 7]);
    expect(state()).toMatchObject({
      Address: [192, 168, 0, 1],
      Fault: expect.stringContaining('ip: permission denied'),
    });
    expect(failures()).toHaveLength(1);
    isBroken = false;
    await update([10, 0, 0, 8]);
    expect([address(), deviceStatus()]).toEqual([[10, 0, 0, 8], 3]);
    expect(state()).toMatchObject({ Address: [10, 0, 0, 8], Fault: '' });
    expect(failures()).toHaveLength(1);
  });

  test('because it never answers leave the old ones in force, until it answers', async () => {
    const done = latch();
    let calls = 0;
    const { board, update, address, state, deviceStatus, failures } = await boardWith({
      apply: () => (++calls === 1 ? undefined : done.opened),
    });
    await update([10, 0, 0, 7]);
    board.clock.advance(applyLimit - 1);
    expect(deviceStatus()).toBe(3);
    board.clock.advance(1);
    expect([address(), deviceStatus()]).toEqual([[192, 168, 0, 1], 7]);
    expect(state().Fault).toBe('the settings could not be applied: no result after 30 s');
    expect(failures()).toHaveLength(1);
    done.open();
    await promisesSettled();
    expect([address(), deviceStatus(), state().Fault]).toEqual([[10, 0, 0, 7], 3, '']);
  });

  test('at the start count all the same, because no others are known', async () => {
    const { storage, update, board } = await boardWith({});
    await update([10, 0, 0, 7]);
    await board.respond('WriteEeprom');
    const next = await boardWith({ apply: failures.throws }, storage.afterPowerCut());
    expect([next.address(), next.deviceStatus()]).toEqual([[10, 0, 0, 7], 7]);
    expect(next.failures()).toHaveLength(1);
  });

  test('at a boot leave those in force that were before', async () => {
    let isBroken = false;
    const { board, update, address, deviceStatus } = await boardWith({
      apply: () => (isBroken ? Promise.reject(new Error('no link')) : undefined),
    });
    await update([10, 0, 0, 7]);
    isBroken = true;
    await board.reboot();
    await promisesSettled();
    expect([address(), deviceStatus()]).toEqual([[10, 0, 0, 7], 7]);
    isBroken = false;
    await board.reboot();
    expect([address(), deviceStatus()]).toEqual([[192, 168, 0, 1], 3]);
  });

  test('do not come into force with the next ones that a search tool sets', async () => {
    let isBroken = false;
    const { board, update } = await boardWith({
      apply: () => (isBroken ? Promise.reject(new Error('no link')) : undefined),
    });
    isBroken = true;
    await update([10, 0, 0, 7]);
    isBroken = false;
    board.device.features.network.activate([EtherAuxIPPort]);
    expect(board.device.features.network.active.read(EtherIPAddress)).toEqual([192, 168, 0, 1]);
  });

  test('are settled in any case, for those who wait', async () => {
    const { board } = await boardWith({ apply: () => new Promise(() => undefined) });
    const { settled } = board.device.features.network;
    board.clock.advance(applyLimit);
    await expect(settled).resolves.toBeUndefined();
    await expect(board.device.features.network.settled).resolves.toBeUndefined();
  });
});

test('the fault of the network has one line, whatever the system says', async () => {
  let calls = 0;
  const { update, state } = await boardWith({
    apply: () => {
      calls += 1;
      if (calls > 1) throw new Error(`Command failed: ip\nRTNETLINK answers: \ud800${'no '.repeat(100)}`);
    },
  });
  await update([10, 0, 0, 7]);
  expect(state().Fault).toMatch(
    /^the settings could not be applied: Command failed: ip RTNETLINK answers: {2}no /,
  );
  expect(state().Fault).toHaveLength(200);
});

describe('the lease of the system', () => {
  const lease: AddressSet = { address: [10, 0, 0, 42], mask: [255, 255, 0, 0], gateway: [10, 0, 0, 1] };

  /** A scanner with DHCP, whose system has a lease that may be anything. */
  async function leasing(read: () => unknown) {
    const hardwareNetwork: NetworkHardware = {};
    Reflect.set(hardwareNetwork, 'lease', read);
    const leasing = await boardWith(hardwareNetwork);
    leasing.board.device.parameters.change((change) => change.set(EtherAddressingMode, 1));
    await leasing.update([192, 168, 0, 1]);
    return leasing;
  }

  test('is that of EtherIPAddressDHCP', async () => {
    const { board, state } = await leasing(() => lease);
    expect(board.device.read(EtherIPAddressDHCP)).toEqual(lease.address);
    expect(state()).toMatchObject({
      Source: NetworkSource.DHCP,
      Address: lease.address,
      Gateway: lease.gateway,
    });
  });

  test('may not be a promise, whose rejection ends no process', async () => {
    const unhandled: unknown[] = [];
    const listener = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', listener);
    onTestFinished(() => void process.off('unhandledRejection', listener));
    const { deviceStatus } = await leasing(() => Promise.reject(new Error('no bus')));
    await promisesSettled();
    expect([deviceStatus(), unhandled]).toEqual([7, []]);
  });

  test.each([
    ['no object', 5],
    ['without a mask', { address: lease.address, gateway: lease.gateway }],
    ['with a wrong byte', { ...lease, address: [10, 0, 0, 256] }],
    ['with NaN', { ...lease, address: [10, 0, 0, Number.NaN] }],
    ['with text', { ...lease, address: '10.0.0.42' }],
    ['of all addresses', { ...lease, address: [0, 0, 0, 0] }],
    ['of a group', { ...lease, address: [224, 0, 0, 1] }],
    ['null', null],
    ['a promise', Promise.resolve(lease)],
  ])('that is %s leaves the last one, with DeviceStatus 7 and one line', async (_, wrong) => {
    let value: unknown = lease;
    const { board, deviceStatus, failures } = await leasing(() => value);
    value = wrong;
    for (let times = 0; times < 3; times++) board.device.features.network.leaseChanged();
    expect(board.device.read(EtherIPAddressDHCP)).toEqual(lease.address);
    expect(deviceStatus()).toBe(7);
    expect(failures()).toHaveLength(1);
    value = { ...lease, address: [10, 0, 0, 43] };
    board.device.features.network.leaseChanged();
    expect(board.device.read(EtherIPAddressDHCP)).toEqual([10, 0, 0, 43]);
    expect(deviceStatus()).toBe(3);
  });
});
