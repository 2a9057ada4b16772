import { ethernet } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import {
  addressIn,
  addressSettings,
  areNear,
  changesOf,
  destinationOf,
  doubtsAbout,
  settingsInForce,
  urlAt,
} from '../../src/network/address-plan.js';

const factory = Object.fromEntries(addressSettings.map(([{ name, type }]) => [name, type.initial]));

test('every network setting that can be written is on the page', () => {
  const writable = Object.values(ethernet.members).filter(
    (member) => member.kind === 'variable' && member.facts.write !== undefined,
  );
  expect(addressSettings.map(([{ name }]) => name).toSorted()).toEqual(
    writable.map(({ name }) => name).toSorted(),
  );
});

test('changes are told in words', () => {
  const plan = { ...factory, EtherIPAddress: [10, 0, 0, 5], EtherAddressingMode: 1 };
  expect(changesOf(factory, plan)).toEqual(['Addressing: Static → DHCP', 'Address: 192.168.0.1 → 10.0.0.5']);
  expect(changesOf(factory, { ...factory })).toEqual([]);
});

describe('doubts', () => {
  test('there are none about the factory settings', () => {
    expect(doubtsAbout(factory)).toEqual([]);
  });

  test.each([
    ['a multicast address', { EtherIPAddress: [224, 0, 0, 1] }, 'one device'],
    ['an address that begins with 0', { EtherIPAddress: [0, 0, 0, 1] }, 'one device'],
    ['a mask with a gap', { EtherIPMask: [255, 0, 255, 0] }, 'no subnet mask'],
    ['the address of the subnet', { EtherIPAddress: [192, 168, 0, 0] }, 'whole subnet'],
    ['the address for broadcasts', { EtherIPAddress: [192, 168, 0, 255] }, 'broadcasts'],
    ['a gateway elsewhere', { EtherIPGateAddress: [192, 168, 1, 1] }, 'gateway'],
  ])('are told about %s', (_, changed, word) => {
    const doubts = doubtsAbout({ ...factory, ...changed });
    expect(doubts).toHaveLength(1);
    expect(doubts[0]).toContain(word);
  });

  test('do not concern static settings that are not used', () => {
    expect(doubtsAbout({ ...factory, EtherIPMask: [255, 0, 255, 0], EtherAddressingMode: 1 })).toEqual([]);
  });

  test('a connection of two devices has no address for broadcasts', () => {
    const plan = { ...factory, EtherIPAddress: [10, 0, 0, 0], EtherIPMask: [255, 255, 255, 254] };
    expect(doubtsAbout(plan)).toEqual([]);
  });

  test('values that are not known are no doubts', () => {
    expect(doubtsAbout({})).toEqual([]);
  });
});

test('the new URL keeps scheme, port and path', () => {
  expect(urlAt('https://192.168.0.1:8443/gate', [10, 0, 0, 5])).toBe('https://10.0.0.5:8443/gate');
  expect(destinationOf('http://scanner.local', factory)).toBe('http://192.168.0.1');
});

test('with DHCP, nobody knows the new URL', () => {
  expect(destinationOf('http://192.168.0.1', { ...factory, EtherAddressingMode: 1 })).toBeUndefined();
});

test('an address is found in a URL, a name is none', () => {
  expect(addressIn('http://192.168.0.1:80')).toEqual([192, 168, 0, 1]);
  expect(addressIn('http://scanner.local')).toBeUndefined();
});

test('addresses of one subnet are near each other', () => {
  expect(areNear([192, 168, 0, 1], [192, 168, 0, 9], [255, 255, 255, 0])).toBe(true);
  expect(areNear([192, 168, 0, 1], [192, 168, 1, 9], [255, 255, 255, 0])).toBe(false);
  expect(areNear([192, 168, 0, 1], [192, 168, 1, 9], [255, 255, 0, 0])).toBe(true);
});

describe('the settings in force', () => {
  const state = {
    Source: 1,
    Address: [10, 98, 0, 8],
    Mask: [255, 255, 255, 0],
    Gateway: [10, 98, 0, 1],
    Fault: '',
  };
  const inForce = (network: unknown) =>
    settingsInForce({ value: (name) => (name === 'network' ? network : undefined) });

  test.each([
    ['static', state, { address: '10.98.0.8, mask 255.255.255.0, static', gateway: '10.98.0.1' }],
    [
      'of a server',
      { ...state, Source: 2, Gateway: [0, 0, 0, 0] },
      { address: '10.98.0.8, mask 255.255.255.0, from DHCP', gateway: undefined },
    ],
    [
      'of no server',
      { ...state, Source: 0, Address: [0, 0, 0, 0] },
      { address: 'none: it waits for a DHCP server', gateway: undefined },
    ],
  ])('are told in words: %s', (_, network, expected) => {
    expect(inForce({ ...network, Fault: 'no' })).toEqual({ ...expected, fault: 'no' });
  });

  test('are not known of a scanner that does not report them', () => {
    expect(inForce(undefined)).toBeUndefined();
  });
});
