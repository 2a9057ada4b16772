import { configurationTime, type Presence } from './presence.js';

/** The layout's own number. */
const layoutVersion = 1;
/** The family of protocols that both legacy interfaces speak. */
const legacyProtocol = 1;
/** A version that is released. */
const released = 'R'.charCodeAt(0);

type Bytes = readonly number[];

/**
 * The answer in the newer form. Numbers have their high byte first; a text or list has its length before it (2 bytes).
 *
 * | what | as |
 * |---|---|
 * | version of this layout | 2 bytes |
 * | name of the device | text |
 * | major, minor, patch, build, `R` | 2, 2, 2, 4, 1 bytes |
 * | DeviceStatus | 1 byte |
 * | action that a user has to take | 2 bytes, 0 |
 * | location, application, project, serial number, type, firmware, order number | texts |
 * | flags | 1 byte, 0 |
 * | further facts, other interfaces | lists, empty |
 * | network settings: EIPa, ENMa, EDGa, EDhc, EMAC, ECDu; XHtp and XIns of our own | list of tags |
 * | ways in: a protocol (1 byte) with a list of tags each, DPNo being the port | list |
 *
 * A tag is 4 letters, the number of its bytes (2 bytes) and these bytes.
 */
export function taggedPresence(presence: Presence): Uint8Array {
  const [major = 0, minor = 0, patch = 0] = presence.release.split('.').map(Number);
  const { http, instance, legacyB, legacyA } = presence;
  const settings = [
    tag('EMAC', presence.macAddress),
    tag('EIPa', presence.address),
    tag('ENMa', presence.mask),
    tag('EDGa', presence.gateway),
    tag('EDhc', [presence.dhcp ? 1 : 0]),
    tag('ECDu', four(configurationTime / 1000)),
    ...(http === undefined ? [] : [tag('XHtp', two(http))]),
    ...(instance === undefined ? [] : [tag('XIns', [...Buffer.from(instance, 'hex')])]),
  ];
  const waysIn = [legacyB, legacyA].map((port) => [legacyProtocol, ...list([tag('DPNo', two(port))])]);
  return Uint8Array.from([
    ...two(layoutVersion),
    ...text(presence.name),
    ...two(major),
    ...two(minor),
    ...two(patch),
    ...four(0),
    released,
    presence.status,
    ...two(0),
    ...text(presence.locationName),
    ...text(''),
    ...text(''),
    ...text(presence.serialNumber),
    ...text(presence.deviceType),
    ...text(presence.firmwareVersion),
    ...text(presence.orderNumber),
    0,
    ...list([]),
    ...list([]),
    ...list(settings),
    ...list(waysIn),
  ]);
}

function tag(name: string, value: Bytes): Bytes {
  return [...Buffer.from(name, 'ascii'), ...two(value.length), ...value];
}

function list(items: readonly Bytes[]): Bytes {
  return [...two(items.length), ...items.flat()];
}

function text(value: string): Bytes {
  const bytes = Buffer.from(value, 'utf8');
  return [...two(bytes.length), ...bytes];
}

function two(value: number): Bytes {
  return [value >> 8, value & 0xff];
}

function four(value: number): Bytes {
  return [...two(value >>> 16), ...two(value & 0xffff)];
}
