import { expect, test } from 'vitest';
import { hearingAt, networksOf } from '../../src/network/own-networks.js';

const facts = { family: 'IPv4' as const, mac: '', internal: false, netmask: '' };
const interfaces = {
  lo: [{ ...facts, internal: true, address: '127.0.0.1', cidr: '127.0.0.1/8' }],
  eth0: [{ ...facts, address: '10.0.0.5', cidr: '10.0.0.5/24' }],
  eth1: [{ ...facts, address: '192.168.1.5', cidr: '192.168.1.5/16' }],
};
const senders = ['10.0.0.77', '10.0.1.77', '192.168.1.7', '127.0.0.1'];

test('multicast of other networks of the machine is not heard', () => {
  const networks = networksOf(['10.0.0.5'], interfaces);
  expect(senders.filter((at) => networks.check(at))).toEqual(['10.0.0.77']);
  const loopback = networksOf(['127.0.0.9'], interfaces);
  expect(senders.filter((at) => loopback.check(at))).toEqual(['127.0.0.1']);
});

test('multicast of no network of the machine may have come over that of the scanner, but not over loopback', () => {
  expect(senders.filter(hearingAt('10.0.0.5', interfaces))).toEqual(['10.0.0.77', '10.0.1.77']);
  expect(senders.filter(hearingAt('127.0.0.9', interfaces))).toEqual(['127.0.0.1']);
});
