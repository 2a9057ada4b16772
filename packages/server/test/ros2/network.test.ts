import { Socket } from 'node:dgram';
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { expect, onTestFinished, test, vi } from 'vitest';
import { reopenAfter } from '../../src/network/limits.js';
import { ListeningAddress } from '../../src/network/listening-address.js';
import { announcementInterval } from '../../src/ros2/limits.js';
import { haveAddressesChanged, networkOf } from '../../src/ros2/network.js';
import { StreamMetrics } from '../../src/streams/delivery.js';
import { Ros2Stream, scannerRole } from '../../src/streams/ros2-stream.js';
import { settled } from '../streams/scanner.js';
import { RosScanner } from './scanner.js';

vi.mock('../../src/ros2/network.js', async (original) => {
  const network = await original<typeof import('../../src/ros2/network.js')>();
  return { ...network, haveAddressesChanged: vi.fn(network.haveAddressesChanged) };
});

/** Replaces a function of Node until the test ends, also for modules that have imported it. */
function replaced<T extends { mockRestore(): void }>(spy: T): T {
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return spy;
}

/** Gives this machine these addresses beside loopback. */
function setAddresses(...addresses: readonly string[]): void {
  const facts = { netmask: '255.255.255.0', mac: '02:00:00:00:00:01', cidr: null, family: 'IPv4' as const };
  const made = (address: string, internal: boolean) => ({ ...facts, address, internal });
  replaced(vi.spyOn(os, 'networkInterfaces')).mockReturnValue({
    lo: [made('127.0.0.1', true)],
    eth0: addresses.map((address) => made(address, false)),
  });
}

test('at all addresses, the scanner is where the networks are, and sees when they change', async () => {
  setAddresses();
  const none = await networkOf('0.0.0.0', []);
  if (none === undefined) throw new Error('a network expected');
  expect(none.addresses).toEqual(['127.0.0.1']);
  expect(haveAddressesChanged(none)).toBe(false);
  setAddresses('10.0.0.7');
  expect(haveAddressesChanged(none)).toBe(true);
  const one = await networkOf('0.0.0.0', ['10.0.0.9']);
  if (one === undefined) throw new Error('a network expected');
  expect(one).toMatchObject({ addresses: ['10.0.0.7'], peers: ['10.0.0.9'], outOfReach: [] });
  expect(haveAddressesChanged(one)).toBe(false);
  // A scanner at one address stays there.
  const fixed = await networkOf('10.0.0.7', []);
  setAddresses('10.0.0.8');
  expect(fixed && haveAddressesChanged(fixed)).toBe(false);
});

test('on loopback, peers of other machines are out of reach', async () => {
  expect(await networkOf('127.0.0.1', ['10.0.0.9', '127.0.0.5'])).toMatchObject({
    peers: ['127.0.0.1', '127.0.0.5'],
    outOfReach: ['10.0.0.9'],
  });
});

test('a scanner without multicast says so', async () => {
  const join = vi.spyOn(Socket.prototype, 'addMembership').mockImplementation(() => {
    throw new Error('no multicast');
  });
  onTestFinished(() => {
    join.mockRestore();
  });
  const { scanner } = await RosScanner.start();
  expect(scanner.lines('warn', 'ROS 2: no network interface has multicast')).toHaveLength(1);
});

test('a scanner whose machine has got other addresses joins anew', async () => {
  const { scanner } = await RosScanner.start();
  const joins = () => scanner.lines('info', 'ROS 2: the scanner has joined').length;
  await scanner.run(3 * announcementInterval, 100);
  expect(joins()).toBe(1);
  vi.mocked(haveAddressesChanged).mockReturnValueOnce(true);
  await scanner.run(announcementInterval, 100);
  await settled();
  expect(joins()).toBe(2);
});

test('a scanner whose name has no address yet joins when it has one', async () => {
  const { scanner } = await RosScanner.start();
  const { device } = scanner.testScanner.service;
  replaced(vi.spyOn(dns, 'lookup'))
    .mockRejectedValueOnce(new Error('not found'))
    .mockResolvedValue({ address: '127.0.0.1', family: 4 });
  const address = new ListeningAddress({ address: 'scanner.test' }, device.features.network);
  const stream = new Ros2Stream({
    ...{ role: scannerRole, device, address, peers: ['10.0.0.9'], metrics: new StreamMetrics() },
  });
  onTestFinished(() => {
    stream.close();
  });
  stream.follow();
  await stream.beginning;
  expect(stream.blockedBy).toBe('no_address');
  expect(scanner.lines('warn', 'ROS 2: the scanner cannot join')).toHaveLength(1);
  await scanner.run(reopenAfter);
  await stream.beginning;
  expect(stream.blockedBy).toBeUndefined();
  expect(scanner.lines('warn', 'ROS 2: a scanner on loopback cannot reach')).toHaveLength(1);
});
