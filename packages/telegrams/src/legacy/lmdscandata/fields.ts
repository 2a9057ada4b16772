import { TelegramError } from '../../telegram-error.js';
import {
  type LmdBits,
  type LmdChannel,
  type LmdEncoder,
  type LmdEvent,
  type LmdHead,
  type LmdPosition,
  type LmdScan,
  type LmdTime,
  lmdBytes,
  lmdCharacters,
  visible,
} from './scan.js';

/** Writes the fields of a scan in one of the encodings. Numbers beyond their width wrap. */
export interface LmdWriter {
  head(word: LmdHead): void;
  u8(value: number): void;
  u16(value: number): void;
  u32(value: number): void;
  i16(value: number): void;
  i32(value: number): void;
  f32(value: number): void;
  characters(text: string): void;
  string(text: string): void;
  u8s(values: Uint8Array): void;
  u16s(values: Uint16Array): void;
}

/** Writes the fields in their order (layout: scan.ts). */
export function writeBody(out: LmdWriter, scan: LmdScan): void {
  out.u16(scan.version);
  out.u16(scan.deviceNumber);
  out.u32(scan.serialNumber);
  writeBytes(out, scan.status);
  out.u16(scan.telegramCounter);
  out.u16(scan.scanCounter);
  out.u32(scan.scanTime);
  out.u32(scan.transmitTime);
  writeBytes(out, scan.inputs);
  writeBytes(out, scan.outputs);
  out.i16(scan.layerAngle);
  out.u32(scan.scanFrequency);
  out.u32(scan.measurementFrequency);
  out.u16(countOf(scan.encoders, 'encoders'));
  for (const { ticks, speed } of scan.encoders) {
    out.u32(ticks);
    out.u16(speed);
  }
  out.u16(countOf(scan.channels16, 'channels'));
  for (const channel of scan.channels16) {
    writeChannel(out, channel);
    out.u16s(channel.data);
  }
  out.u16(countOf(scan.channels8, 'channels'));
  for (const channel of scan.channels8) {
    writeChannel(out, channel);
    out.u8s(channel.data);
  }
  writePosition(out, scan);
  writeString(out, scan.deviceName);
  writeString(out, scan.comment);
  writeTime(out, scan);
  writeEvent(out, scan);
}

/** Returns the largest number of bytes of a scan in binary. As text it needs at most three times as many. */
export function mostBytes(scan: LmdScan): number {
  let bytes = lmdBytes.head + lmdBytes.encoder * scan.encoders.length;
  for (const { data } of scan.channels16) bytes += lmdBytes.channel + data.byteLength;
  for (const { data } of scan.channels8) bytes += lmdBytes.channel + data.byteLength;
  // In UTF-8 each unit of a JavaScript string needs at most three bytes: characters of four bytes are two units.
  for (const text of [scan.deviceName, scan.comment])
    bytes += lmdBytes.stringLength + 3 * (text?.length ?? 0);
  return bytes + lmdBytes.position + lmdBytes.time + lmdBytes.event;
}

/**
 * Returns the bytes of a string.
 * @throws RangeError if they are more than a string can have.
 */
export function bytesOfString(text: string): Uint8Array {
  const bytes = encoder.encode(text);
  countOf(bytes, 'bytes of a string');
  return bytes;
}

const encoder = new TextEncoder();

function writeBytes(out: LmdWriter, bytes: readonly [number, number]): void {
  out.u8(bytes[0]);
  out.u8(bytes[1]);
}

function writeChannel(out: LmdWriter, channel: LmdChannel<Uint8Array | Uint16Array>): void {
  out.characters(characters(channel.content, lmdCharacters.content));
  out.f32(channel.scale);
  out.f32(channel.offset);
  out.i32(channel.startAngle);
  out.u16(channel.angularStep);
  out.u16(countOf(channel.data, 'values of a channel'));
}

function writePosition(out: LmdWriter, { position }: LmdScan): void {
  out.u16(position === undefined ? 0 : 1);
  if (position === undefined) return;
  out.f32(position.x);
  out.f32(position.y);
  out.f32(position.z);
  out.f32(position.rotationX);
  out.f32(position.rotationY);
  out.f32(position.rotationZ);
  out.u8(position.rotationType);
}

function writeString(out: LmdWriter, text: string | undefined): void {
  out.u16(text === undefined ? 0 : 1);
  if (text !== undefined) out.string(text);
}

function writeTime(out: LmdWriter, { time }: LmdScan): void {
  out.u16(time === undefined ? 0 : 1);
  if (time === undefined) return;
  out.u16(time.year);
  out.u8(time.month);
  out.u8(time.day);
  out.u8(time.hour);
  out.u8(time.minute);
  out.u8(time.second);
  out.u32(time.microsecond);
}

function writeEvent(out: LmdWriter, { event }: LmdScan): void {
  out.u16(event === undefined ? 0 : 1);
  if (event === undefined) return;
  out.characters(characters(event.type, lmdCharacters.event));
  out.u32(event.encoderTicks);
  out.u32(event.time);
  out.i32(event.angle);
}

function countOf({ length }: ArrayLike<unknown>, what: string): number {
  if (length > 65535) throw new RangeError(`expected at most 65535 ${what}, got ${length}`);
  return length;
}

function characters(text: string, count: number): string {
  if (text.length === count && visible.test(text)) return text;
  throw new RangeError(`expected ${count} characters of ASCII without a blank, got "${text}"`);
}

/** Reads the fields of a scan in one of the encodings. Each method throws a TelegramError. */
export interface LmdReader {
  /** Offset of the field that was read last. */
  readonly fieldStart: number;
  u8(): number;
  u16(): number;
  u32(): number;
  i16(): number;
  i32(): number;
  f32(): number;
  characters(count: number): string;
  string(): string;
  u8s(count: number): Uint8Array;
  u16s(count: number): Uint16Array;
}

/** Reads the fields in their order (layout: scan.ts). Bytes behind the last field are ignored. */
export function readBody(input: LmdReader): LmdScan {
  // An object literal is evaluated from top to bottom: this is the order of the fields.
  return {
    version: input.u16(),
    deviceNumber: input.u16(),
    serialNumber: input.u32(),
    status: readBits(input),
    telegramCounter: input.u16(),
    scanCounter: input.u16(),
    scanTime: input.u32(),
    transmitTime: input.u32(),
    inputs: readBits(input),
    outputs: readBits(input),
    layerAngle: input.i16(),
    scanFrequency: input.u32(),
    measurementFrequency: input.u32(),
    encoders: readEncoders(input),
    channels16: readChannels(input, (count) => input.u16s(count)),
    channels8: readChannels(input, (count) => input.u8s(count)),
    position: readPresence(input, 'position') ? readPosition(input) : undefined,
    deviceName: readPresence(input, 'name') ? input.string() : undefined,
    comment: readPresence(input, 'comment') ? input.string() : undefined,
    time: readPresence(input, 'time') ? readTime(input) : undefined,
    event: readPresence(input, 'event') ? readEvent(input) : undefined,
  };
}

/** Decodes names and comments of devices. Bytes that are not UTF-8 become replacement characters, so that no scan is lost. */
export function decodeString(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function readBits(input: LmdReader): LmdBits {
  const first = input.u8();
  return [first, input.u8()];
}

/** Reads encoders one after the other, no matter what count is stated: memory is used only for existing ones. */
function readEncoders(input: LmdReader): LmdEncoder[] {
  const encoders: LmdEncoder[] = [];
  for (let left = input.u16(); left > 0; left--) {
    const ticks = input.u32();
    encoders.push({ ticks, speed: input.u16() });
  }
  return encoders;
}

function readChannels<Data extends Uint8Array | Uint16Array>(
  input: LmdReader,
  dataOf: (count: number) => Data,
): LmdChannel<Data>[] {
  const channels: LmdChannel<Data>[] = [];
  for (let left = input.u16(); left > 0; left--) {
    channels.push({
      content: readCharacters(input, lmdCharacters.content),
      scale: input.f32(),
      offset: input.f32(),
      startAngle: input.i32(),
      angularStep: input.u16(),
      data: dataOf(input.u16()),
    });
  }
  return channels;
}

function readPresence(input: LmdReader, what: string): boolean {
  const flag = input.u16();
  if (flag > 1) throw new TelegramError(`0 or 1 (whether a ${what} follows)`, `${flag}`, input.fieldStart);
  return flag === 1;
}

function readPosition(input: LmdReader): LmdPosition {
  return {
    x: input.f32(),
    y: input.f32(),
    z: input.f32(),
    rotationX: input.f32(),
    rotationY: input.f32(),
    rotationZ: input.f32(),
    rotationType: input.u8(),
  };
}

function readTime(input: LmdReader): LmdTime {
  return {
    year: input.u16(),
    month: input.u8(),
    day: input.u8(),
    hour: input.u8(),
    minute: input.u8(),
    second: input.u8(),
    microsecond: input.u32(),
  };
}

function readEvent(input: LmdReader): LmdEvent {
  return {
    type: readCharacters(input, lmdCharacters.event),
    encoderTicks: input.u32(),
    time: input.u32(),
    angle: input.i32(),
  };
}

function readCharacters(input: LmdReader, count: number): string {
  const text = input.characters(count);
  if (visible.test(text)) return text;
  throw new TelegramError(
    `${count} characters of ASCII without a blank`,
    JSON.stringify(text),
    input.fieldStart,
  );
}
