import { TelegramError } from '../telegram-error.js';
import { lmdCharacters, visible } from './layout.js';
import type { LmdBits, LmdChannel, LmdEncoder, LmdEvent, LmdPosition, LmdScan, LmdTime } from './lmd-scan.js';

/** What the fields of a scan are read with, one encoding or the other. Each throws a TelegramError. */
export interface LmdReader {
  /** Where the field begins that was read last. */
  readonly place: number;
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

/** Reads the fields in their order (layout.ts). What comes behind the last one is passed over. */
export function readBody(input: LmdReader): LmdScan {
  // An object literal is evaluated from top to bottom, which is the order of the fields.
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
    ...(isThere(input, 'position') && { position: readPosition(input) }),
    ...(isThere(input, 'name') && { deviceName: input.string() }),
    ...(isThere(input, 'comment') && { comment: input.string() }),
    ...(isThere(input, 'time') && { time: readTime(input) }),
    ...(isThere(input, 'event') && { event: readEvent(input) }),
  };
}

/** Names and comments of devices: what is no UTF-8 becomes replacement characters, so that no scan is lost by it. */
export function textOfString(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

function readBits(input: LmdReader): LmdBits {
  const first = input.u8();
  return [first, input.u8()];
}

/** Each one is read before the next, whatever number of them is told: memory is taken for what is there. */
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

function isThere(input: LmdReader, what: string): boolean {
  const flag = input.u16();
  if (flag > 1) throw new TelegramError(`0 or 1 (whether a ${what} follows)`, `${flag}`, input.place);
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
  throw new TelegramError(`${count} characters of ASCII without a blank`, JSON.stringify(text), input.place);
}
