import { lmdBytes, lmdCharacters, visible } from './layout.js';
import type { LmdChannel, LmdHead, LmdScan } from './lmd-scan.js';

/** What the fields of a scan are written with, one encoding or the other. Numbers beyond their width wrap. */
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

/** Writes the fields in their order (layout.ts). */
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

/** Bytes that a scan takes in binary at most; as text it takes three times as many at most. */
export function mostBytes(scan: LmdScan): number {
  let bytes = lmdBytes.head + lmdBytes.flags + lmdBytes.encoder * scan.encoders.length;
  for (const { data } of scan.channels16) bytes += lmdBytes.channel + data.byteLength;
  for (const { data } of scan.channels8) bytes += lmdBytes.channel + data.byteLength;
  // In UTF-8 each unit of a JavaScript string takes three bytes at most: characters of four are two units.
  for (const text of [scan.deviceName, scan.comment])
    bytes += lmdBytes.stringLength + 3 * (text?.length ?? 0);
  return bytes + lmdBytes.position + lmdBytes.time + lmdBytes.event;
}

/**
 * The bytes of a string.
 * @throws RangeError where they are more than a string can have.
 */
export function bytesOfString(text: string): Uint8Array {
  const bytes = utf8.encode(text);
  countOf(bytes, 'bytes of a string');
  return bytes;
}

const utf8 = new TextEncoder();

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
  if (length > 65535) throw new RangeError(`at most 65535 ${what} expected, ${length} came`);
  return length;
}

function characters(text: string, count: number): string {
  if (text.length === count && visible.test(text)) return text;
  throw new RangeError(`${count} characters of ASCII without a blank expected, "${text}" came`);
}
