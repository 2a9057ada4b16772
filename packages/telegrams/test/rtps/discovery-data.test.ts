import {
  builtinEndpoint,
  decodeEndpointData,
  decodeParticipantData,
  defaultQos,
  durability,
  encodeEndpointData,
  encodeParticipantData,
  reliability,
  writerId,
} from '@azimuth/telegrams/rtps';
import { bytesOf, hexOf } from '@azimuth/test-support/golden/hex';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

const prefix = '0102030405060708090a0b0c';
const participant = {
  prefix,
  domain: 3,
  domainTag: '',
  discovery: [{ address: '127.0.0.1', port: 8160 }],
  user: [{ address: '127.0.0.1', port: 8160 }],
  builtinEndpoints: builtinEndpoint.participantWriter | builtinEndpoint.livelinessWriter,
  lease: 10_500,
  userData: 'enclave=/;',
};

test('the announcement of a participant has these bytes', () => {
  expect(hexOf(encodeParticipantData(participant))).toBe(
    `00030000
     1500 0400 02050000
     1600 0400 017f0000
     5000 1000 0102030405060708090a0b0c000001c1
     0f00 0400 03000000
     3200 1800 01000000 e01f0000 000000000000000000000000 7f000001
     3100 1800 01000000 e01f0000 000000000000000000000000 7f000001
     0200 0800 0a000000 00000080
     5800 0400 01040000
     2c00 1000 0a000000 656e636c6176653d2f3b 0000
     0100 0000`.replaceAll(/\s/g, ''),
  );
  expect(decodeParticipantData(encodeParticipantData(participant))).toEqual(participant);
});

test('a domain tag is written so that nobody may overlook it', () => {
  const tagged = { ...participant, domainTag: 'a' };
  expect(hexOf(encodeParticipantData(tagged))).toContain('14400800020000006100');
  expect(decodeParticipantData(encodeParticipantData(tagged))).toEqual(tagged);
});

test('locators of other kinds are left out, and what is not stated is as usual', () => {
  const sharedMemory = `3100 1800 10000000 e01f0000 ${'00'.repeat(16)}`;
  const ownGuid = `5000 1000 ${prefix}000001c1`;
  const payload = bytesOf(`00030000 ${sharedMemory} ${ownGuid} 01000000`.replaceAll(' ', ''));
  expect(decodeParticipantData(payload)).toEqual({
    prefix,
    domain: undefined,
    domainTag: '',
    discovery: [],
    user: [],
    builtinEndpoints: 0x3f,
    lease: 100_000,
    userData: '',
  });
});

test('the announcement of an endpoint is read as it was written', () => {
  const texts = fc.string({ maxLength: 20 }).filter((text) => !text.includes('\0'));
  const durations = fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat(1_000_000));
  fc.assert(
    fc.property(
      fc.record({
        topic: texts,
        type: texts,
        depth: fc.nat(1000),
        userData: texts,
        qos: fc.record({
          reliability: fc.constantFrom(...Object.values(reliability)),
          durability: fc.constantFrom(...Object.values(durability)),
          deadline: durations.map((seconds) => seconds * 1000),
          liveliness: fc.nat(2),
          livelinessLease: durations.map((seconds) => seconds * 1000),
          ownership: fc.nat(1),
          destinationOrder: fc.nat(1),
          presentation: fc.nat(2),
          isCoherent: fc.boolean(),
          isOrdered: fc.boolean(),
          partitions: fc.array(texts, { maxLength: 4 }),
          representations: fc.array(fc.nat(2), { maxLength: 3 }),
        }),
      }),
      (facts) => {
        const endpoint = { guid: { prefix, entity: writerId(7) }, ...facts };
        expect(decodeEndpointData(encodeEndpointData(endpoint))).toEqual(endpoint);
      },
    ),
  );
});

test('an endpoint that states only its names has the usual quality of service', () => {
  const names = '0500 0800 02000000 74000000 0700 0800 02000000 75000000';
  const payload = bytesOf(`00030000 5a00 1000 ${prefix}00000104 ${names} 01000000`.replaceAll(' ', ''));
  expect(decodeEndpointData(payload)).toMatchObject({ topic: 't', type: 'u', qos: defaultQos });
});

test.each([
  ['without its GUID', '00030000 01000000', 'expected the parameter 80'],
  ['that is no parameter list', '00010000 01000000', 'expected a parameter list'],
  ['that is cut off', '00030000 5000 1000 0102', 'expected 16 more bytes'],
  ['without an end', '00030000 1500 0400 02050000', 'expected 2 more bytes'],
  ['with more than 256 parameters', `00030000 ${'1500 0000'.repeat(300)}`, 'at most 256 parameters'],
])('an announcement %s is refused', (_, bytes, reason) => {
  expect(() => decodeParticipantData(bytesOf(bytes.replaceAll(' ', '')))).toThrow(reason);
});
