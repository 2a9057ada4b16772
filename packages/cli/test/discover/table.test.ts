import { expect, test } from 'vitest';
import { tableOf } from '../../src/discover/table.js';

test.each([
  [{ address: '192.168.0.1', mask: '255.255.255.0', gateway: '0.0.0.0', dhcp: false }, '192.168.0.1/24'],
  [{ address: '192.168.0.1', mask: '255.255.255.255', dhcp: true }, '192.168.0.1/32 DHCP'],
  [{ address: '192.168.0.1', mask: '0.0.0.0' }, '192.168.0.1/0'],
  [{ address: '192.168.0.1', mask: '255.0.255.0' }, '192.168.0.1/255.0.255.0'],
  [{ address: '192.168.0.1' }, '192.168.0.1'],
  [{ mask: '255.255.255.0', dhcp: true }, 'DHCP'],
  [{}, '-'],
  [undefined, '-'],
])('of %j no more is told than is known', (configuration, cell) => {
  const scanner = { mac: '00:06:77:0a:1b:2c', address: '127.0.0.1', ...(configuration && { configuration }) };
  const [, line = ''] = tableOf([scanner]).split('\n');
  expect(line.split(/ {2,}/).slice(0, 4)).toEqual([scanner.mac, '-', cell, '-']);
});
