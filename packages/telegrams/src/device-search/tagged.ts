import { type Layout, offsetsOf } from '../layout.js';
import { charactersOf } from '../legacy/framing.js';
import { type DecodedDescription, type DeviceDescription, hexBytes, macText } from './description.js';

/** The version of the layout. */
const layoutVersion = 1;
/** The protocol family of both legacy interfaces. */
const legacyProtocol = 1;
/** Marks a released version. */
const released = 'R'.charCodeAt(0);

const statusLayout = {
  major: { type: 'u16', text: 'release: major' },
  minor: { type: 'u16', text: 'release: minor' },
  patch: { type: 'u16', text: 'release: patch' },
  build: { type: 'u32', text: 'build' },
  released: { type: 'characters', length: 1, text: 'R: a released version' },
  status: { type: 'u8', text: 'DeviceStatus' },
  action: { type: 'u16', text: 'action that a user must perform, 0' },
} as const;

const versionAndStatusBytes = offsetsOf(statusLayout).bytes;

/** A tag of four letters, the number of its bytes (u16), and these bytes. */
export const tagNames = {
  EMAC: { form: 'mac', text: 'MAC address' },
  EIPa: { form: 'ipv4', text: 'IP address' },
  ENMa: { form: 'ipv4', text: 'mask' },
  EDGa: { form: 'ipv4', text: 'gateway' },
  EDhc: { form: 'number', text: 'DHCP' },
  ECDu: { form: 'number', text: 'seconds that a tool waits after a change' },
  DPNo: { form: 'number', text: 'port' },
  XHtp: { form: 'number', text: 'port of the web server (Azimuth)' },
  XIns: { form: 'bytes', text: 'instance (Azimuth)' },
} as const;

/** Number of a text, of tags, or of other items: two bytes in front of them. */
export type TaggedPart =
  | { readonly kind: 'fields'; readonly of: Layout }
  | { readonly kind: 'text' | 'tags' | 'interfaces' | 'tagged interfaces'; readonly text: string };

/**
 * The parts of the body of a response in the newer form. Numbers have their high byte first. A text or list begins with its
 * length (u16). An interface is a number (u16) and a text, or a protocol (u8) with a list of tags.
 */
export const taggedParts = {
  version: { kind: 'fields', of: { version: { type: 'u16', text: 'version of this layout' } } },
  name: { kind: 'text', text: 'name of the device' },
  status: { kind: 'fields', of: statusLayout },
  locationName: { kind: 'text', text: 'location' },
  application: { kind: 'text', text: 'application' },
  project: { kind: 'text', text: 'project' },
  serialNumber: { kind: 'text', text: 'serial number' },
  deviceType: { kind: 'text', text: 'type' },
  firmwareVersion: { kind: 'text', text: 'firmware' },
  orderNumber: { kind: 'text', text: 'order number' },
  flags: { kind: 'fields', of: { flags: { type: 'u8', text: 'flags, 0' } } },
  facts: { kind: 'tags', text: 'further facts' },
  interfaces: { kind: 'interfaces', text: 'other interfaces' },
  settings: { kind: 'tags', text: 'network settings' },
  legacyInterfaces: { kind: 'tagged interfaces', text: 'legacy interfaces' },
} as const satisfies Readonly<Record<string, TaggedPart>>;

const utf8Encoder = new TextEncoder();
const utf8Decoder = new TextDecoder('utf-8', { ignoreBOM: true });

type Bytes = readonly number[];

/** Encodes the body of a response in the newer form (`taggedParts`). */
export function encodeTaggedResponse(description: DeviceDescription): Uint8Array {
  const [major = 0, minor = 0, patch = 0] = description.release.split('.').map(Number);
  const { http, instance, legacyB, legacyA } = description;
  const settings = [
    tag('EMAC', description.macAddress),
    tag('EIPa', description.address),
    tag('ENMa', description.mask),
    tag('EDGa', description.gateway),
    tag('EDhc', [description.dhcp ? 1 : 0]),
    tag('ECDu', four(description.configurationTime / 1000)),
    ...(http === undefined ? [] : [tag('XHtp', two(http))]),
    ...(instance === undefined ? [] : [tag('XIns', hexBytes(instance))]),
  ];
  const interfaces = [legacyB, legacyA].map((port) => [legacyProtocol, ...list([tag('DPNo', two(port))])]);
  return Uint8Array.from([
    ...two(layoutVersion),
    ...text(description.name),
    ...two(major),
    ...two(minor),
    ...two(patch),
    ...four(0),
    released,
    description.status,
    ...two(0),
    ...text(description.locationName),
    ...text(''),
    ...text(''),
    ...text(description.serialNumber),
    ...text(description.deviceType),
    ...text(description.firmwareVersion),
    ...text(description.orderNumber),
    0,
    ...list([]),
    ...list([]),
    ...list(settings),
    ...list(interfaces),
  ]);
}

/** Decodes such a body; undefined for other bodies. Unknown tags, and tags of an unknown length, are skipped. */
export function decodeTaggedResponse(body: Uint8Array): DecodedDescription | undefined {
  try {
    return decoded(new Cursor(body));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function decoded(at: Cursor): DecodedDescription | undefined {
  at.read(2);
  const name = at.text();
  at.read(versionAndStatusBytes);
  const [locationName, , , serialNumber, deviceType, firmwareVersion, orderNumber] = at.texts(7);
  at.read(1);
  at.tags();
  for (let left = at.number(); left > 0; left--) {
    at.read(2);
    at.text();
  }
  const tags = at.tags();
  const settingOf = (tagName: string, length: number): Bytes | undefined => {
    const value = tags.get(tagName);
    return value?.length === length ? [...value] : undefined;
  };
  const macAddress = settingOf('EMAC', 6);
  if (macAddress === undefined) return undefined;
  const [httpHigh, httpLow] = settingOf('XHtp', 2) ?? [];
  const instance = settingOf('XIns', 4);
  const dhcp = settingOf('EDhc', 1)?.[0];
  return {
    ...{ macAddress, name, locationName, serialNumber, deviceType, firmwareVersion, orderNumber },
    address: settingOf('EIPa', 4),
    mask: settingOf('ENMa', 4),
    gateway: settingOf('EDGa', 4),
    dhcp: dhcp === undefined ? undefined : dhcp === 1,
    http: httpHigh === undefined || httpLow === undefined ? undefined : httpHigh * 256 + httpLow,
    instance: instance === undefined ? undefined : macText(instance).replaceAll(':', ''),
  };
}

function tag(name: string, value: Bytes): Bytes {
  return [...utf8Encoder.encode(name), ...two(value.length), ...value];
}

function list(items: readonly Bytes[]): Bytes {
  return [...two(items.length), ...items.flat()];
}

function text(value: string): Bytes {
  const bytes = utf8Encoder.encode(value);
  return [...two(bytes.length), ...bytes];
}

function two(value: number): Bytes {
  return [value >> 8, value & 255];
}

function four(value: number): Bytes {
  return [...two(value >>> 16), ...two(value & 0xffff)];
}

/** Reads a body from its beginning. @throws RangeError at its end */
class Cursor {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  read(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('the answer is too short');
    const value = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return value;
  }

  number(): number {
    const [high = 0, low = 0] = this.read(2);
    return high * 256 + low;
  }

  text(): string {
    return utf8Decoder.decode(this.read(this.number()));
  }

  texts(count: number): readonly string[] {
    return Array.from({ length: count }, () => this.text());
  }

  tags(): ReadonlyMap<string, Uint8Array> {
    const tags = new Map<string, Uint8Array>();
    for (let left = this.number(); left > 0; left--) {
      const name = charactersOf(this.read(4));
      tags.set(name, this.read(this.number()));
    }
    return tags;
  }
}
