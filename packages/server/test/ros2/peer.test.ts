import { VirtualClock } from '@azimuth/device';
import type { Locator, ParticipantData } from '@azimuth/telegrams/rtps';
import { expect, test } from 'vitest';
import { Budget, Peer } from '../../src/ros2/peer.js';

const prefix = 'f1f2f3f4f5f6f7f8f9fafbfc';
const at = (address: string, port = 7410): Locator => ({ address, port });

function announced(discovery: readonly Locator[], user: readonly Locator[] = []): ParticipantData {
  const names = { prefix, domain: 0, domainTag: '', userData: '' };
  return { ...names, discovery, user, builtinEndpoints: 0, lease: 10_000 };
}

function started(isLoopback = false) {
  const clock = new VirtualClock();
  const sentTo: string[] = [];
  const peer = new Peer(prefix, {
    ownPrefix: '0102030405060708090a0b0c',
    clock,
    datagramBytes: 1400,
    isLoopback,
    repairs: new Budget(clock, 1000),
    nextCount: () => 1,
    send: (_, { address, port }, done) => {
      sentTo.push(`${address}:${port}`);
      done(null);
    },
    sent: () => undefined,
    failed: () => undefined,
  });
  peer.recordReceived(1000);
  const sample = { sequence: 1, time: 0, payload: new Uint8Array(8), ended: undefined, pending: 0 };
  const both = () => {
    sentTo.length = 0;
    peer.queue('discovery').sample(1, sample);
    peer.queue('user').sample(1, sample);
    return [...sentTo];
  };
  return { clock, peer, both };
}

test('before it has shown that it gets messages, a peer gets no data', () => {
  const { peer, both } = started();
  peer.announced(announced([at('10.0.0.7')]), '10.0.0.7');
  expect(both()).toEqual(['10.0.0.7:7410']);
  peer.prove();
  expect(both()).toEqual(['10.0.0.7:7410', '10.0.0.7:7410']);
});

test('data goes to no other address than the announcements', () => {
  const { peer, both } = started();
  peer.announced(announced([at('10.0.0.66')], [at('10.0.0.1', 53)]), '10.0.0.66');
  peer.prove();
  expect(both()).toEqual(['10.0.0.66:7410', '10.0.0.66:7410']);
  const honest = started();
  honest.peer.announced(
    announced([at('10.0.0.66')], [at('10.0.0.1', 53), at('10.0.0.66', 7411)]),
    '10.0.0.66',
  );
  honest.peer.prove();
  expect(honest.both()).toEqual(['10.0.0.66:7410', '10.0.0.66:7411']);
});

test('a peer that moves has to show again that it gets messages', () => {
  const { peer, both } = started();
  peer.announced(announced([at('10.0.0.7')]), '10.0.0.7');
  peer.prove();
  peer.announced(announced([at('10.0.0.7'), at('10.0.0.8')]), '10.0.0.8');
  expect(both()).toEqual(['10.0.0.7:7410', '10.0.0.7:7410']);
  peer.announced(announced([at('10.0.0.8')]), '10.0.0.8');
  expect(peer.isProven).toBe(false);
  expect(both()).toEqual(['10.0.0.8:7410']);
});

test('any message of a peer that gets messages extends its lease, of others only their announcements', () => {
  const { clock, peer } = started();
  const move = () => {
    clock.advance(9000);
    peer.recordReceived(44);
    clock.advance(2000);
    return peer.isExpired;
  };
  peer.announced(announced([at('10.0.0.7')]), '10.0.0.7');
  expect(move()).toBe(true);
  peer.announced(announced([at('10.0.0.7')]), '10.0.0.7');
  expect(peer.isExpired).toBe(false);
  peer.prove();
  expect(move()).toBe(false);
});

test.each(['0.0.0.0', '127.0.0.1', '224.0.0.1', '239.255.0.1', '255.255.255.255'])(
  'nothing is sent to %s',
  (address) => {
    const { peer, both } = started();
    peer.announced(announced([at(address)], [at(address)]), '10.0.0.7');
    peer.prove();
    expect(both()).toEqual([]);
  },
);

test('from loopback, only loopback is used: the address of the sender, if it announces others only', () => {
  const { peer, both } = started(true);
  peer.announced(announced([at('10.0.0.7')], [at('10.0.0.7', 7411)]), '127.0.0.1');
  peer.prove();
  expect(both()).toEqual(['127.0.0.1:7410', '127.0.0.1:7411']);
});
