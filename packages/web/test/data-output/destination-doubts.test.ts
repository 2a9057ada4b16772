import { expect, test } from 'vitest';
import { doubtsAbout, type ReachedScanner } from '../../src/data-output/destination-doubts.js';
import { type DataStream, scanStream, streams } from '../../src/data-output/streams.js';

const network: Readonly<Record<string, unknown>> = {
  EtherIPAddress: [192, 168, 0, 1],
  EtherIPMask: [255, 255, 255, 0],
  EtherIPGateAddress: [0, 0, 0, 0],
};
const real: ReachedScanner = {
  host: '192.168.0.1',
  known: { value: (name) => network[name] },
  release: '2.4.4',
};
const virtual: ReachedScanner = { ...real, host: '127.0.0.1' };

function doubts(address: string, around = real, stream: DataStream = scanStream, rest = {}): string {
  const settings = { Protocol: 1, IPAddress: address.split('.').map(Number), Port: 2115, ...rest };
  return doubtsAbout(stream, settings, around).join(' ');
}

test('an address in the network of the scanner is fine', () => {
  expect(doubts('192.168.0.100')).toBe('');
});

test.each([
  ['0.0.0.0', 'no destination'],
  ['127.0.0.1', 'the scanner itself'],
  ['192.168.0.1', 'the scanner itself'],
  ['192.168.0.255', 'broadcast'],
  ['255.255.255.255', 'broadcast'],
  ['10.0.0.7', 'no gateway'],
])('%s has a mistake: %s', (address, expected) => {
  expect(doubts(address)).toContain(expected);
});

test('a gateway reaches other networks', () => {
  const routed: ReachedScanner = {
    ...real,
    known: { value: (name) => (name === 'EtherIPGateAddress' ? [192, 168, 0, 254] : network[name]) },
  };
  expect(doubts('10.0.0.7', routed)).toBe('');
});

test('a virtual scanner on this computer sends to loopback, and its network settings do not count', () => {
  expect([doubts('127.0.0.1', virtual), doubts('10.0.0.7', virtual)]).toEqual(['', '']);
});

test('many receivers of IMU data need a release that can do it', () => {
  const imu = streams.find(({ id }) => id === 'imu') ?? scanStream;
  const early: ReachedScanner = { ...real, release: '2.2.1' };
  expect(doubts('239.1.2.3', real, imu)).toBe('');
  expect(doubts('239.1.2.3', early)).toBe('');
  expect(doubts('239.1.2.3', early, imu)).toContain('2.3.1');
});

test('port 0 sends nothing, and a TCP port may belong to something else; its address does not count', () => {
  expect(doubts('192.168.0.9', real, scanStream, { Port: 0 })).toContain('port 0');
  expect(doubts('127.0.0.1', real, scanStream, { Protocol: 2 })).toBe('');
  expect(doubts('127.0.0.1', real, scanStream, { Protocol: 2, Port: 80 })).toContain('web server');
});

test('the TCP ports of the legacy interfaces are those of the scanner, while it has the interfaces', () => {
  const at = (values: Readonly<Record<string, unknown>>, port: number) =>
    doubts('127.0.0.1', { ...real, known: { value: (name) => values[name] } }, scanStream, {
      Protocol: 2,
      Port: port,
    });
  expect(at({}, 2111)).toContain('interface A');
  expect(at({}, 2112)).toContain('interface B');
  expect(at({ EtherHostIPPort: 4112 }, 4112)).toContain('interface B');
  expect(at({ EtherHostIPPort: 4112 }, 2112)).toBe('');
  expect(at({ EtherAuxEnabled: false }, 2111)).toBe('');
});

test('a text that is no address is left to the model', () => {
  expect(doubtsAbout(scanStream, { Protocol: 1, IPAddress: '192.168', Port: 1 }, real)).toEqual([]);
});
