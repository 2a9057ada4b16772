import { expect, test } from 'vitest';
import { destinationIn } from '../../src/streams/destination.js';

test('reads a destination, and reaches groups by loopback unless another address is named', () => {
  const read = (text: string) => {
    const { kind, host, port, by } = destinationIn(text);
    return [kind, host, port, by];
  };
  expect(
    [
      'udp://127.0.0.1:3000',
      'udp://localhost:3000',
      'udp://239.1.2.3:3000',
      'udp://239.1.2.3:3000?by=10.0.0.7',
      'tcp-listen://0.0.0.0:2120',
      'ws-listen://127.0.0.1:0',
    ].map(read),
  ).toEqual([
    ['udp', '127.0.0.1', 3000, '127.0.0.1'],
    ['udp', '127.0.0.1', 3000, '127.0.0.1'],
    ['multicast', '239.1.2.3', 3000, '127.0.0.1'],
    ['multicast', '239.1.2.3', 3000, '10.0.0.7'],
    ['tcp', '0.0.0.0', 2120, '127.0.0.1'],
    ['websocket', '127.0.0.1', 0, '127.0.0.1'],
  ]);
});

test('refuses anything else, and says what was expected', () => {
  const refusal = (text: string) => {
    try {
      return destinationIn(text);
    } catch (error) {
      return String(error);
    }
  };
  expect(
    [
      '3000',
      'http://127.0.0.1:3000',
      'udp://127.0.0.1:3000/path',
      'udp://me:secret@127.0.0.1:3000',
      'udp://127.0.0.1:3000?by=10.0.0.7',
      'udp://239.1.2.3:3000?by=hall',
    ].map((text) => refusal(text) === `DestinationError: expected ${forms}, not ${text}`),
  ).toEqual([true, true, true, true, true, true]);
  expect(
    ['udp://hall:3000', 'udp://127.0.0.1', 'udp://127.0.0.1:0', 'tcp-listen://239.1.2.3:1'].map(refusal),
  ).toEqual([
    'DestinationError: expected an IPv4 address or localhost in udp://hall:3000',
    'DestinationError: expected a port from 1 to 65535 in udp://127.0.0.1',
    'DestinationError: expected a port from 1 to 65535 in udp://127.0.0.1:0',
    'DestinationError: expected an address of this computer in tcp-listen://239.1.2.3:1, not a multicast group',
  ]);
});

const forms =
  'udp://HOST:PORT, udp://GROUP:PORT?by=ADDRESS, tcp-listen://ADDRESS:PORT or ws-listen://ADDRESS:PORT';
