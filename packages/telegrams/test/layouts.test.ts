import { decodeTelegram } from '@azimuth/telegrams';
import {
  decodeSearchRequest,
  encodeSearchRequest,
  encodeTaggedResponse,
  SearchTelegram,
} from '@azimuth/telegrams/device-search';
import {
  crcLayout,
  encoderLayout,
  type Field,
  headerLayout,
  imuLayout,
  keyedMembers,
  type Layout,
  type LmdPart,
  lmdHeadLayout,
  lmdParts,
  moduleEndLayout,
  moduleLayout,
  numberBytes,
  offsetsOf,
  rowLayout,
  scaleLayout,
  searchHeaderLayout,
  type TaggedPart,
  taggedParts,
  tagNames,
} from '@azimuth/telegrams/layouts';
import { decodeLmdBinary } from '@azimuth/telegrams/legacy';
import { encoder, encoderBytes, imu, imuBytes, scan, scanBytes } from '@azimuth/test-support/golden/compact';
import { everything, everythingBinary } from '@azimuth/test-support/golden/lmdscandata';
import { expect, test } from 'vitest';

/** Reads bytes by the declared layouts alone. */
class LayoutReader {
  readonly #view: DataView;
  readonly #littleEndian: boolean;
  at = 0;

  constructor(bytes: Uint8Array, littleEndian: boolean) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#littleEndian = littleEndian;
  }

  get left(): number {
    return this.#view.byteLength - this.at;
  }

  fields(layout: Layout): Record<string, unknown> {
    return Object.fromEntries(Object.entries(layout).map(([name, field]) => [name, this.#field(field)]));
  }

  number(type: keyof typeof numberBytes): number {
    const at = this.at;
    this.at += numberBytes[type];
    const view = this.#view;
    const little = this.#littleEndian;
    switch (type) {
      case 'u8':
        return view.getUint8(at);
      case 'u16':
        return view.getUint16(at, little);
      case 'u32':
        return view.getUint32(at, little);
      case 'u64':
        return Number(view.getBigUint64(at, little));
      case 'i16':
        return view.getInt16(at, little);
      case 'i32':
        return view.getInt32(at, little);
      case 'f32':
        return view.getFloat32(at, little);
    }
  }

  text(length = this.number('u16')): string {
    const bytes = Buffer.from(this.#view.buffer, this.#view.byteOffset + this.at, length);
    this.at += length;
    return bytes.toString();
  }

  #field(field: Field): unknown {
    if (field.type === 'characters') return this.text(field.length);
    const { type, of } = field;
    return of === undefined ? this.number(type) : of.map(() => this.number(type));
  }
}

test('a telegram of the encoder and of the IMU is what their layouts say', () => {
  expect(new LayoutReader(encoderBytes, true).fields(encoderLayout)).toMatchObject({ ...encoder, type: 4 });
  expect(new LayoutReader(imuBytes, true).fields(imuLayout)).toMatchObject({ ...imu, type: 2 });
  expect(offsetsOf(encoderLayout).bytes).toBe(encoderBytes.length);
  expect(offsetsOf(imuLayout).bytes).toBe(imuBytes.length);
});

test('a scan in Compact is what its layouts say', () => {
  const reader = new LayoutReader(scanBytes, true);
  const { modules, ...telegram } = scan;
  expect(reader.fields(headerLayout)).toMatchObject(telegram);
  const metadata = {
    ...reader.fields(moduleLayout),
    ...Object.fromEntries(Object.entries(reader.fields(rowLayout)).map(([name, value]) => [name, [value]])),
    ...reader.fields(scaleLayout),
  };
  expect(modules[0]).toMatchObject(metadata);
  expect(reader.fields(moduleEndLayout)).toEqual({
    nextBytes: 0,
    availability: 1,
    echoContent: 3,
    beamContent: 3,
    reserved: 0,
  });
  reader.at = scanBytes.length - offsetsOf(crcLayout).bytes;
  expect(reader.fields(crcLayout)).toEqual({ crc: expect.any(Number) });
  expect(decodeTelegram(scanBytes)).toMatchObject({ telegram });
});

test('scan data of the legacy protocol is what its layout says', () => {
  const reader = new LayoutReader(everythingBinary, false);
  const part = (of: LmdPart): unknown => {
    if (of.kind === 'list') {
      return Array.from({ length: reader.number('u16') }, () => {
        const item = reader.fields(of.of);
        const { data } = of;
        if (data === undefined) return item;
        const values = Array.from({ length: reader.number('u16') }, () => reader.number(data));
        return { ...item, data: data === 'u8' ? Uint8Array.from(values) : Uint16Array.from(values) };
      });
    }
    if (reader.number('u16') === 0) return undefined;
    return of.of === 'string' ? reader.text() : reader.fields(of.of);
  };
  const read = {
    ...reader.fields(lmdHeadLayout),
    ...Object.fromEntries(Object.entries(lmdParts).map(([name, of]) => [name, part(of)])),
  };
  expect(reader.left).toBe(0);
  expect(read).toEqual(everything);
  expect(decodeLmdBinary(everythingBinary)).toEqual(everything);
});

const description = {
  macAddress: [0, 6, 119, 1, 2, 3],
  address: [192, 168, 0, 1],
  mask: [255, 255, 255, 0],
  gateway: [0, 0, 0, 0],
  dhcp: false,
  name: 'a scanner',
  deviceType: 'type',
  release: '2.3.1',
  firmwareVersion: '2.3.1.0R',
  serialNumber: '22110001',
  orderNumber: '1234567',
  locationName: 'gate',
  status: 1,
  legacyA: 2111,
  legacyB: 2112,
  http: 8080,
  instance: '01020304',
  settable: true,
  configurationTime: 5000,
};

test('a response of the device search is what its layout says, with known tags only', () => {
  const reader = new LayoutReader(encodeTaggedResponse(description), false);
  const tags: string[] = [];
  const readTags = () => {
    for (let left = reader.number('u16'); left > 0; left--) {
      tags.push(reader.text(4));
      reader.text();
    }
  };
  const read: Record<string, unknown> = {};
  const part = (name: string, { kind, ...rest }: TaggedPart): void => {
    if (kind === 'fields' && 'of' in rest) Object.assign(read, reader.fields(rest.of));
    else if (kind === 'text') read[name] = reader.text();
    else if (kind === 'tags') readTags();
    else {
      for (let left = reader.number('u16'); left > 0; left--) {
        reader.number(kind === 'interfaces' ? 'u16' : 'u8');
        if (kind === 'interfaces') reader.text();
        else readTags();
      }
    }
  };
  for (const [name, declared] of Object.entries<TaggedPart>(taggedParts)) part(name, declared);
  expect(reader.left).toBe(0);
  const { name, deviceType, firmwareVersion, serialNumber, orderNumber, locationName, status } = description;
  expect(read).toMatchObject({
    ...{ name, deviceType, firmwareVersion, serialNumber, orderNumber, locationName, status },
    ...{ major: 2, minor: 3, patch: 1, released: 'R' },
  });
  expect([...new Set(tags)].sort()).toEqual(Object.keys(tagNames).sort());
});

test('a request of the device search is what its layout says', () => {
  const id = Uint8Array.of(1, 2, 3, 4);
  const bytes = encodeSearchRequest(SearchTelegram.search, [1, 2, 3, 4, 5, 6], id, new Uint8Array(8));
  expect(decodeSearchRequest(bytes)).toMatchObject({ telegram: SearchTelegram.search, id });
  expect(new LayoutReader(bytes, false).fields(searchHeaderLayout)).toEqual({
    telegram: SearchTelegram.search,
    reserved: 0,
    bodyBytes: 8,
    macAddress: [1, 2, 3, 4, 5, 6],
    id: [1, 2, 3, 4],
    mark: 1,
    kind: 0,
  });
});

test('no two members of MSGPACK have the same key', () => {
  const keys = Object.values(keyedMembers).map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});
