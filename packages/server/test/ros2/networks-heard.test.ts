import { expect, test } from 'vitest';
import { networksOf } from '../../src/ros2/network.js';

const facts = { family: 'IPv4' as const, mac: '', internal: false, netmask: '' };
const interfaces = {
  eth0: [{ ...facts, address: '10.0.0.5', cidr: '10.0.0.5/24' }],
  eth1: [{ ...facts, address: '192.168.1.5', cidr: '192.168.1.5/16' }],
};

test('multicast of other networks of the machine is not heard', () => {
  const networks = networksOf(['10.0.0.5'], interfaces);
  expect(['10.0.0.77', '10.0.1.77', '192.168.1.7', '127.0.0.1'].filter((at) => networks.check(at))).toEqual([
    '10.0.0.77',
  ]);
  const loopback = networksOf(['127.0.0.9'], interfaces);
  expect(['10.0.0.77', '127.0.0.1'].filter((at) => loopback.check(at))).toEqual(['127.0.0.1']);
});
