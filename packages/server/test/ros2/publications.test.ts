import { VirtualClock } from '@azimuth/device';
import {
  decodeMessage,
  defaultQos,
  MessageWriter,
  numberSet,
  type Submessage,
} from '@azimuth/telegrams/rtps';
import { expect, test } from 'vitest';
import { deafTime } from '../../src/ros2/limits.js';
import { Budget, Peer } from '../../src/ros2/peer.js';
import { Publications } from '../../src/ros2/publications.js';

const prefix = 'f1f2f3f4f5f6f7f8f9fafbfc';
const own = '0102030405060708090a0b0c';

/**
 * Announcements of one writer to one peer. The first numbers are at these places of their range, one after the other.
 */
function announced(...places: readonly number[]) {
  const clock = new VirtualClock();
  const sent: Submessage[] = [];
  const peer = new Peer(prefix, {
    ownPrefix: own,
    clock,
    datagramBytes: 1400,
    isLoopback: true,
    repairs: new Budget(clock, 1_000_000),
    nextCount: () => 1,
    send: (parts, _, done) => {
      sent.push(...decodeMessage(Buffer.concat(parts)).submessages);
      done(null);
    },
    sent: () => undefined,
    failed: () => undefined,
  });
  const at = (port: number) => {
    const locators = [{ address: '127.0.0.1', port }];
    const names = { prefix, domain: 0, domainTag: '', userData: '' };
    const data = { ...names, discovery: locators, user: locators, builtinEndpoints: 0, lease: 10_000 };
    return peer.announced(data, '127.0.0.1');
  };
  at(7410);
  peer.recordReceived(1000);
  const left = [...places];
  const publications = new Publications(clock, () => left.shift() ?? 0);
  const guid = { prefix: own, entity: 0x103 };
  publications.announce({ guid, topic: 'rt/scan', type: 'Scan', qos: defaultQos, depth: 1, userData: '' });
  let count = 0;
  /** Returns true if this acknowledgement shows that the peer gets messages. */
  const shows = (base: number) => {
    count += 1;
    const missing = numberSet(base, []);
    return publications.receiveAckNack(peer, {
      kind: 'ackNack',
      reader: 0x3c7,
      writer: 0x3c2,
      missing,
      count,
      isFinal: true,
    });
  };
  /** Returns the number of the first announcement, as the next greeting states it. */
  const first = () => {
    const message = new MessageWriter(own).begin();
    publications.writeHeartbeat(message, peer);
    const [heartbeat] = decodeMessage(message.copy()).submessages;
    return heartbeat?.kind === 'heartbeat' ? heartbeat.first : 0;
  };
  /** The port of the peer has changed. */
  const move = () => {
    if (at(7412)) publications.renew(peer);
  };
  return { clock, peer, shows, first, move, sent };
}

test('a peer that knows the numbers has shown that it gets messages', () => {
  const { peer, shows, first } = announced(500);
  expect(shows(first() - 1)).toBe(false);
  expect(peer.isProven).toBe(false);
  expect(shows(first())).toBe(true);
  expect(peer.isProven).toBe(true);
});

test('after two wrong numbers, right ones are ignored for a time', () => {
  const { clock, shows, first } = announced(500);
  expect([shows(first() - 1), shows(first() - 2)]).toEqual([false, false]);
  expect(shows(first())).toBe(false);
  clock.advance(deafTime - 1);
  expect(shows(first())).toBe(false);
  clock.advance(1);
  expect(shows(first())).toBe(true);
});

test('at another address, the numbers of before show nothing', () => {
  const { peer, shows, first, move } = announced(500, 900);
  const before = first();
  expect(shows(before)).toBe(true);
  move();
  expect(peer.isProven).toBe(false);
  expect(shows(before + 1)).toBe(false);
  expect(first()).toBeGreaterThan(before + 1);
  expect(shows(first())).toBe(true);
});

test('a peer that expects higher numbers gets higher ones, and is told so at once', () => {
  const { peer, shows, first, move, sent } = announced(900, 500, 3);
  const known = first();
  expect(shows(known)).toBe(true);
  move();
  expect(first()).toBeLessThan(known);
  peer.recordReceived(1000);
  sent.length = 0;
  expect(shows(known + 1)).toBe(false);
  expect(first()).toBeGreaterThan(known + 1);
  expect(sent).toContainEqual(expect.objectContaining({ kind: 'heartbeat', first: first() }));
  // The peer repeats the number that it expects, before it has the higher numbers: that is no guess.
  expect([shows(known + 1), shows(known + 1)]).toEqual([false, false]);
  expect(shows(first())).toBe(true);
});
