import type { Device, Scan, ScanGeometry } from '@azimuth/device';
import { passesInterval } from '@azimuth/device/legacy';
import { dataReduction, device as general, type Variable } from '@azimuth/model';
import { senderIdOf } from '../../streams/sender-id.js';
import { Channels } from './channels.js';
import { type Content, contentFollows, contentOf } from './content.js';
import { encoderOf, inputsOf, outputsOf, statusOf, timeOf } from './device-state.js';
import { type Captured, ScanTelegram } from './scan-telegram.js';

const { LFPintervalFilter } = dataReduction.members;
const { LocationName } = general.members;

/** Of devices of this family; the number is one that a user could set. */
const version = 1;
const deviceNumber = 1;

interface Layout {
  readonly geometry: ScanGeometry;
  readonly content: Content;
  readonly channels: Channels;
}

/** Makes telegrams of scans, as the settings say. What a telegram has not encoded is gone with the next one. */
export class TelegramMaker {
  readonly #device: Device;
  readonly #serialNumber: number;
  #layout: Layout | undefined;
  #sent = 0;

  constructor(device: Device) {
    this.#device = device;
    this.#serialNumber = senderIdOf(device.identity.serialNumber);
  }

  /** To be told of every change of variables. */
  changed(variables: readonly Variable<unknown>[]): void {
    if (variables.some((variable) => contentFollows.includes(variable))) this.#layout = undefined;
  }

  /** A boot: telegrams are counted from 1. */
  reset(): void {
    this.#layout = undefined;
    this.#sent = 0;
  }

  /** Does a scan go out to those who follow them? The others are left out by the interval filter or the output rate. */
  goesOut({ number, geometry }: Scan): boolean {
    const filter = this.#device.read(LFPintervalFilter);
    if (!passesInterval(filter, number)) return false;
    const { every } = this.#layoutOf(geometry).content;
    return (filter.bEnable ? number / filter.uiReductionFactor : number) % every === 0;
  }

  /** The telegram of a scan that has just been finished; undefined where none of its beams is visible. */
  telegramOf(scan: Scan): ScanTelegram | undefined {
    const { content, channels } = this.#layoutOf(scan.geometry);
    if (content.values === 0) return undefined;
    channels.fill(scan);
    return new ScanTelegram(this.#captured(scan, content, channels), () => ++this.#sent);
  }

  #captured({ number, time, geometry }: Scan, content: Content, channels: Channels): Captured {
    const device = this.#device;
    return {
      version,
      deviceNumber,
      serialNumber: this.#serialNumber,
      status: statusOf(device),
      scanCounter: number,
      scanTime: Math.round(time),
      transmitTime: Math.round(device.measuring.microseconds()),
      inputs: inputsOf(device),
      outputs: outputsOf(device),
      layerAngle: 0,
      scanFrequency: Math.round(geometry.frequency * 100),
      measurementFrequency: measurementFrequency(geometry.frequency, content.beams.step),
      encoders: content.encoder ? [encoderOf(device)] : [],
      channels16: channels.all,
      channels8: [],
      ...(content.deviceName ? { deviceName: device.read(LocationName) } : {}),
      ...(content.time ? { time: timeOf(device) } : {}),
    };
  }

  #layoutOf(geometry: ScanGeometry): Layout {
    if (this.#layout?.geometry === geometry) return this.#layout;
    const content = contentOf(this.#device, geometry);
    this.#layout = { geometry, content, channels: new Channels(content) };
    return this.#layout;
  }
}

/**
 * Beams a second in 100 Hz as clients compute them: those of whole turns, with the step that the telegram tells.
 * @param frequency Hz
 * @param step 1/10000 degree
 */
function measurementFrequency(frequency: number, step: number): number {
  return Math.round((frequency * 360 * 10_000) / step / 100);
}
