import { describe, expect, test } from 'vitest';
import {
  type DeviceDescription,
  decodeChange,
  decodeSearchRequest,
  decodeSearchResponse,
  decodeTaggedResponse,
  decodeXmlResponse,
  encodeChange,
  encodeSearchRequest,
  encodeSearchResponse,
  encodeTaggedResponse,
  encodeXmlResponse,
  SearchTelegram,
} from '../../src/device-search/index.js';

const macAddress = [0, 6, 0x77, 0x0a, 0x1b, 0xff];
const configuration = { address: [10, 0, 0, 7], mask: [255, 255, 0, 0], gateway: [10, 0, 0, 1], dhcp: true };
const description: DeviceDescription = {
  ...configuration,
  macAddress,
  name: 'picoScan',
  deviceType: 'picoScan1xx',
  release: '2.4.4',
  firmwareVersion: '2.4.4.0R',
  serialNumber: '12345678',
  orderNumber: '1134610',
  locationName: 'Tür <3> & "Halle"',
  status: 3,
  legacyA: 2111,
  legacyB: 2112,
  http: 8080,
  instance: '0badcafe',
  settable: true,
  configurationTime: 1000,
};
const { release, status, legacyA, legacyB, configurationTime, ...reported } = description;

describe('a description is decoded as it was encoded', () => {
  test('in tags, which do not say whether it can be set', () => {
    const { settable, ...rest } = reported;
    expect(decodeTaggedResponse(encodeTaggedResponse(description))).toEqual(rest);
  });

  test('in XML, which has no name', () => {
    const { name, ...rest } = reported;
    expect(decodeXmlResponse(encodeXmlResponse(description))).toEqual(rest);
  });
});

test.each(['tagged', 'xml'] as const)('a change in the form %s is decoded as it was encoded', (form) => {
  const body = encodeChange(form, macAddress, configuration);
  const datagram = encodeSearchRequest(SearchTelegram.change, macAddress, Uint8Array.of(1, 2, 3, 4), body);
  const request = decodeSearchRequest(datagram);
  expect(request).toMatchObject({
    telegram: SearchTelegram.change,
    wantsXmlOnly: false,
    statedLength: body.length,
  });
  expect(request && decodeChange(request)).toEqual({
    form,
    ...configuration,
    ...(form === 'xml' ? { macAddress } : {}),
  });
});

test('an answer repeats the id of its request, and is no request', () => {
  const id = Uint8Array.of(9, 8, 7, 6);
  const request = decodeSearchRequest(
    encodeSearchRequest(SearchTelegram.search, macAddress, id, new Uint8Array(8)),
  );
  if (request === undefined) throw new Error('the request cannot be decoded');
  const answer = encodeSearchResponse(request, SearchTelegram.changeResponse, macAddress, Uint8Array.of(0));
  expect(decodeSearchRequest(answer)).toBeUndefined();
  expect(decodeSearchResponse(answer)).toEqual({
    telegram: SearchTelegram.changeResponse,
    macAddress: Uint8Array.from(macAddress),
    id,
    body: Uint8Array.of(0),
  });
});
