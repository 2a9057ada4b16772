import { LegacyScanMode, legacyProtocols } from '@azimuth/model';
import { TestDevice } from '@azimuth/test-support/test-device';
import { DeviceSearch } from '../../src/device-search/index.js';

const { EtherLegacyScanMode } = legacyProtocols.members;

/** Address of serial number 12345678: the vendor's prefix and the first bytes of its SHA-256. */
export const mac = '000677ef797c';
export const everybody = 'ffffffffffff';
export const id = '0badcafe';

export const bytes = (...hex: readonly string[]) => Buffer.from(hex.join('').replaceAll(/\s/g, ''), 'hex');

/** A search as tools send it: from 10.211.55.5 in a network of 24 bits. */
export const search = (kind = '00', whom = everybody) =>
  bytes('10 00 0008', whom, id, '01', kind, '0ad33705 ffffff00');

/** A change in the newer form: 192.168.0.7/24, gateway 192.168.0.254, static. */
export const change = (body = 'c0a80007 ffffff00 c0a800fe 00', whom = mac) => {
  const content = bytes(body);
  return Buffer.concat([
    bytes('1100', content.length.toString(16).padStart(4, '0'), whom, id, '0100'),
    content,
  ]);
};

/** A change in the older form, as it is sent with a length that is not its own. */
export const xmlChange = (xml: string, whom = mac) =>
  Buffer.concat([bytes('11 00 0101', whom, id, '01 00'), Buffer.from(xml)]);

export const wish = (...items: readonly (readonly [string, string])[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<IPconfig MACAddr="00:06:77:ef:79:7c">\n${items
    .map(([key, value]) => `<Item key="${key}" value="${value}"/>`)
    .join('\n')}</IPconfig>`;

export type Mode = keyof typeof LegacyScanMode;

/** A scanner whose device search is in this mode, right after it has come up. */
export async function searched(mode: Mode = 'ENABLED', facts: Parameters<typeof TestDevice.open>[0] = {}) {
  const testDevice = await TestDevice.open(facts);
  const deviceSearch = new DeviceSearch(testDevice.device, () => ({}));
  if (testDevice.device.parameters.has(EtherLegacyScanMode)) {
    testDevice.device.parameters.change((next) => next.set(EtherLegacyScanMode, LegacyScanMode[mode]));
    testDevice.device.features.network.activate();
  }
  return { testDevice, device: testDevice.device, search: deviceSearch };
}

/** The response in hex. The actions after it are done. */
export async function responseHex(
  deviceSearch: DeviceSearch,
  datagram: Uint8Array,
): Promise<readonly string[]> {
  const { datagrams, afterwards } = await deviceSearch.respond(datagram);
  afterwards?.();
  return datagrams.map((answer) => Buffer.from(answer).toString('hex'));
}

/** The type of each response: its first byte. */
export async function telegrams(
  deviceSearch: DeviceSearch,
  datagram: Uint8Array,
): Promise<readonly string[]> {
  return (await responseHex(deviceSearch, datagram)).map((hex) => hex.slice(0, 2));
}
