import type { Device, Scan, ScanGeometry } from '@azimuth/device';
import { passesInterval } from '@azimuth/device/legacy';
import {
  dataReduction,
  device as general,
  IOState,
  isFrom,
  SCdevicestate,
  type Variable,
} from '@azimuth/model';
import { senderIdOf } from '@azimuth/telegrams';
import {
  encodeLmdBinary,
  encodeLmdText,
  type Framing,
  frameBinary,
  frameText,
  type LmdBits,
  type LmdEncoder,
  type LmdHead,
  type LmdScan,
  type LmdTime,
} from '@azimuth/telegrams/legacy';
import { Channels, type Content, contentFollows, contentOf } from './content.js';

/** Device status in a telegram: an error, or none. */
function statusOf({ features }: Device): LmdBits {
  return [features.deviceStatus.conditions.shortState === SCdevicestate.Error ? 1 : 0, 0];
}

/** First release whose telegrams have the states of inputs and outputs. Older ones have 0. */
const portStatesSince = '2.1.0';

/**
 * Returns the active inputs, and the outputs whose signal is high: ports 1 to 8 as bits 0 to 7 of the first byte. The
 * second byte of outputs is for external ones, which do not exist.
 */
function portsOf({ served, features }: Device): Pick<LmdScan, 'inputs' | 'outputs'> {
  const { ports } = features;
  if (!isFrom(served.edition.release, portStatesSince)) return { inputs: [0, 0], outputs: [0, 0] };
  const inputs = ports.inputState.aDigitalIn.map(
    ({ IOState: { eIOState } }) => eIOState === IOState.IOS_HIGH,
  );
  return { inputs: bitsOf(inputs), outputs: bitsOf(ports.highOutputs) };
}

/** Returns the speed in mm/s, clipped to 16 bits. Two's complement: negative when moving backwards. */
export function encoderOf({ encoder }: Pick<Device['features'], 'encoder'>): LmdEncoder {
  const { ticks, speed } = encoder.reading;
  return { ticks, speed: Math.min(Math.max(Math.round(speed), -0x8000), 0x7fff) & 0xffff };
}

/** Returns date and time of day on the device clock, as in LSPdatetime. */
function timeOf({ features }: Device): LmdTime {
  const now = features.synchronisation.time.now();
  return {
    year: now.uiYear,
    month: now.usiMonth,
    day: now.usiDay,
    hour: now.usiHour,
    minute: now.usiMinute,
    second: now.usiSec,
    microsecond: now.udiUSec,
  };
}

function bitsOf(states: readonly boolean[]): LmdBits {
  let bits = 0;
  for (const [port, isOn] of states.entries()) if (isOn) bits |= 1 << port;
  return [bits, 0];
}

/** The content of a telegram, without its number. */
type Captured = Omit<LmdScan, 'telegramCounter'>;

interface Frames {
  readonly payload: Uint8Array;
  readonly framed: Map<LmdHead, Uint8Array>;
}

/**
 * Telegram of one scan. It is numbered and encoded when it is first requested, and then shared: event and response differ
 * only in their first word.
 */
export class ScanTelegram {
  readonly #captured: Captured;
  readonly #count: () => number;
  readonly #frames = new Map<Framing, Frames>();
  #number: number | undefined;

  /** @param count returns the next number of a telegram */
  constructor(captured: Captured, count: () => number) {
    this.#captured = captured;
    this.#count = count;
  }

  /** Returns the complete frame. The bytes are shared and must not be changed. */
  frame(word: LmdHead, framing: Framing): Uint8Array {
    const { payload, framed } = this.#framesOf(framing);
    const known = framed.get(word);
    if (known !== undefined) return known;
    for (let at = 0; at < word.length; at++) payload[at] = word.charCodeAt(at);
    const frame = framing === 'text' ? frameText(payload) : frameBinary(payload);
    framed.set(word, frame);
    return frame;
  }

  #framesOf(framing: Framing): Frames {
    const known = this.#frames.get(framing);
    if (known !== undefined) return known;
    this.#number ??= this.#count();
    const scan = { ...this.#captured, telegramCounter: this.#number };
    const payload = framing === 'text' ? encodeLmdText(scan, 'sSN') : encodeLmdBinary(scan, 'sSN');
    const frames = { payload, framed: new Map() };
    this.#frames.set(framing, frames);
    return frames;
  }
}

const { LFPintervalFilter } = dataReduction.members;
const { LocationName } = general.members;

/** Constants of devices of this family. A user could set the device number. */
const version = 1;
const deviceNumber = 1;

interface Layout {
  readonly geometry: ScanGeometry;
  readonly content: Content;
  readonly channels: Channels;
}

/** Makes telegrams of scans according to the settings. A telegram can be encoded only until the next one is made. */
export class TelegramMaker {
  readonly #device: Device;
  readonly #serialNumber: number;
  #layout: Layout | undefined;
  #sent = 0;

  constructor(device: Device) {
    this.#device = device;
    this.#serialNumber = senderIdOf(device.identity.serialNumber);
  }

  /** Follows a change of variables. Called after every change. */
  changed(variables: readonly Variable<unknown>[]): void {
    if (variables.some((variable) => contentFollows.includes(variable))) this.#layout = undefined;
  }

  /** Resets the numbers at a boot: the next telegram has the number 1. */
  reset(): void {
    this.#layout = undefined;
    this.#sent = 0;
  }

  /** Returns true if this scan is sent to subscribers. The interval filter omits scans. */
  isSent({ number }: Scan): boolean {
    return passesInterval(this.#device.read(LFPintervalFilter), number);
  }

  /** Returns the telegram of a scan that has just been completed; undefined if none of its beams is visible. */
  telegramOf(scan: Scan): ScanTelegram | undefined {
    const { content, channels } = this.#layoutOf(scan.geometry);
    if (content.values === 0) return undefined;
    channels.fill(scan);
    return new ScanTelegram(this.#captured(scan, content, channels), () => ++this.#sent);
  }

  #captured(scan: Scan, content: Content, channels: Channels): Captured {
    const device = this.#device;
    const { measuring, telegramTime } = device.features;
    const { number, time, geometry } = scan;
    const now = measuring.microseconds();
    const { error, scanError } = telegramTime.stampsOf(scan);
    return {
      version,
      deviceNumber,
      serialNumber: this.#serialNumber,
      status: statusOf(device),
      scanCounter: number,
      scanTime: Math.round(time) + error + scanError,
      transmitTime: Math.round(now) + telegramTime.errorAt(now),
      ...portsOf(device),
      layerAngle: 0,
      scanFrequency: Math.round(geometry.frequency * 100),
      measurementFrequency: 0,
      encoders: content.encoder ? [encoderOf(device.features)] : [],
      channels16: channels.wide,
      channels8: channels.narrow,
      deviceName: content.deviceName ? device.read(LocationName) : undefined,
      time: content.time ? timeOf(device) : undefined,
    };
  }

  #layoutOf(geometry: ScanGeometry): Layout {
    if (this.#layout?.geometry === geometry) return this.#layout;
    const content = contentOf(this.#device, geometry);
    this.#layout = { geometry, content, channels: new Channels(content) };
    return this.#layout;
  }
}
