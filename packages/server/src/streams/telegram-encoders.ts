import type { Device } from '@azimuth/device';
import type { EncoderReading, ImuReading, OutputSegment } from '@azimuth/device/network-interface';
import { measurementDataOutput, ScanDataFormat } from '@azimuth/model';
import { type ScanModule, senderIdOf } from '@azimuth/telegrams';
import { encodeCompactScan, encodeEncoder, encodeImu, encodeMsgpackScan } from '@azimuth/telegrams/encode';
import type { Telegrams } from './data-stream.js';

/** Parts of a device that data streams read. */
export interface Measured extends Pick<Device, 'parameters' | 'identity'> {
  readonly features: Pick<Device['features'], 'measuring' | 'imu' | 'encoder' | 'telegramTime'>;
}

const members = measurementDataOutput.members;

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Row of beams, which is refilled for each segment. */
type Row = Writable<ScanModule> &
  Record<'firstBeamTime' | 'lastBeamTime' | 'firstAzimuth' | 'lastAzimuth', number[]>;

interface Content {
  readonly includeRssi: boolean;
  readonly includeProperties: boolean;
}

const everything: Content = { includeRssi: true, includeProperties: true };

/** Format of scan telegrams, a number of ScanDataFormat, and their content. */
interface ScanForm {
  readonly format: number;
  readonly content: Content;
}

/** Compact with all content, whatever the parameters say. */
export function compactOfScan(): ScanForm {
  return { format: ScanDataFormat.Compact, content: everything };
}

/**
 * Returns the form that the parameters choose. MSGPACK has all content, and so has Compact in releases without a
 * choice.
 */
export function chosenForm({ parameters }: Pick<Measured, 'parameters'>): ScanForm {
  const { compactTelegramType1Content: choice } = members;
  const format = parameters.read(members.ScanDataFormat);
  const isChosen = format === ScanDataFormat.Compact && parameters.has(choice);
  return { format, content: isChosen ? parameters.read(choice) : everything };
}

/** Formats that data streams do not send. */
const silent: Readonly<Record<number, string>> = {
  [ScanDataFormat.LMDscandata]:
    'ScanDataFormat is LMDscandata, which goes to the sessions of the legacy interfaces that ask for it',
  [ScanDataFormat.NativeROS2]: 'ScanDataFormat is NativeROS2, which needs release 2.2.0 or later',
};

/** Draft of the next segment. All scanners of a process use it, so that it stays in the caches of the processor. */
interface Draft {
  readonly telegram: { sequence: number; transmitTime: number; readonly modules: readonly [Row] };
  readonly row: Row;
}

const drafts = new Map<string, Draft>();

/** Returns the draft for telegrams with this content. */
function draftWith(content: Content): Draft {
  const key = JSON.stringify([content.includeRssi, content.includeProperties]);
  const known = drafts.get(key);
  if (known !== undefined) return known;
  const row = rowWith(content);
  const draft: Draft = { telegram: { sequence: 0, transmitTime: 0, modules: [row] }, row };
  drafts.set(key, draft);
  return draft;
}

/** Scan data as Compact (type 1) or MSGPACK: one telegram for each segment. */
export class ScanTelegrams implements Telegrams<OutputSegment> {
  readonly #measuring: Measured['features']['measuring'];
  readonly #sender: number;
  readonly #form: () => ScanForm;
  #format: number;
  #draft: Draft;

  /** @param form called at the beginning and by `configure` */
  constructor(device: Measured, form: () => ScanForm) {
    this.#measuring = device.features.measuring;
    this.#sender = senderIdOf(device.identity.serialNumber);
    this.#form = form;
    const { format, content } = form();
    this.#format = format;
    this.#draft = draftWith(content);
  }

  configure(): string | undefined {
    const { format, content } = this.#form();
    this.#format = format;
    this.#draft = draftWith(content);
    return silent[this.#format];
  }

  get preparing(): Promise<unknown> | undefined {
    return this.#measuring.preparing;
  }

  watch(due: (segment: OutputSegment) => void): () => void {
    return this.#measuring.watch({ segment: due });
  }

  /**
   * Size that is enough for both formats. MSGPACK has up to 7 bytes for an echo, 4 for a beam, and 520 for the rest.
   */
  mostBytes({ beams, echoes }: OutputSegment): number {
    return 1024 + beams * (8 * echoes + 8);
  }

  encode(segment: OutputSegment, sequence: number, buffer: Uint8Array): Uint8Array {
    const { telegram, row } = this.#draft;
    row.sender = this.#sender;
    fill(row, segment);
    telegram.sequence = sequence;
    telegram.transmitTime = Math.round(this.#measuring.microseconds()) + segment.timeOffset;
    if (this.#format === ScanDataFormat.MSGPACK) return encodeMsgpackScan(telegram, buffer);
    return encodeCompactScan(telegram, buffer);
  }
}

/** Row that is refilled for each segment. It lacks the data that the telegram shall not contain. */
function rowWith({ includeRssi, includeProperties }: Content): Row {
  return {
    segmentIndex: 0,
    frameNumber: 0,
    sender: 0,
    rows: 1,
    columns: 0,
    echoes: 0,
    mostEchoes: 0,
    hasProperties: true,
    firstBeamTime: [0],
    lastBeamTime: [0],
    elevation: [0],
    firstAzimuth: [0],
    lastAzimuth: [0],
    scale: 1,
    availability: 1,
    distance: new Float32Array(0),
    azimuth: new Float32Array(0),
    azimuthCodes: new Uint16Array(0),
    rssi: includeRssi ? new Uint16Array(0) : undefined,
    properties: includeProperties ? new Uint8Array(0) : undefined,
  };
}

function fill(module: Row, segment: OutputSegment): void {
  module.segmentIndex = segment.index;
  module.frameNumber = segment.frame;
  module.columns = segment.beams;
  module.echoes = segment.echoes;
  module.mostEchoes = segment.mostEchoes;
  module.hasProperties = segment.hasProperties;
  module.firstBeamTime[0] = Math.round(segment.firstBeamTime) + segment.timeOffset;
  module.lastBeamTime[0] = Math.round(segment.lastBeamTime) + segment.timeOffset;
  module.firstAzimuth[0] = segment.firstAzimuth;
  module.lastAzimuth[0] = segment.lastAzimuth;
  module.scale = segment.scale;
  module.distance = segment.distance;
  module.azimuth = segment.azimuth;
  module.azimuthCodes = segment.azimuthCodes;
  if (module.rssi !== undefined) module.rssi = segment.rssi;
  if (module.properties !== undefined) module.properties = segment.properties;
}

/** IMU data as Compact (type 2), 100 times a second. These telegrams have no counter. */
export class ImuTelegrams implements Telegrams<ImuReading> {
  readonly #device: Measured;

  constructor(device: Measured) {
    this.#device = device;
  }

  configure(): undefined {
    return undefined;
  }

  get preparing(): Promise<unknown> | undefined {
    return this.#device.features.measuring.preparing;
  }

  watch(due: (reading: ImuReading) => void): () => void {
    return this.#device.features.imu.watch(due);
  }

  mostBytes(): number {
    return 64;
  }

  encode({ motion, time }: ImuReading, _: number, buffer: Uint8Array): Uint8Array {
    return encodeImu(
      { ...motion, time: time + this.#device.features.telegramTime.stampOffsetAt(time) },
      buffer,
    );
  }
}

/** Position of the encoder as Compact (type 4), 25 times a second. */
export class EncoderTelegrams implements Telegrams<EncoderReading> {
  readonly #device: Measured;
  readonly #sender: number;

  constructor(device: Measured) {
    this.#device = device;
    this.#sender = senderIdOf(device.identity.serialNumber);
  }

  configure(): undefined {
    return undefined;
  }

  watch(due: (reading: EncoderReading) => void): () => void {
    return this.#device.features.encoder.watch(due);
  }

  mostBytes(): number {
    return 88;
  }

  encode(reading: EncoderReading, sequence: number, buffer: Uint8Array): Uint8Array {
    const { frame: frameNumber, ticks, references, speed, referenceTimes } = reading;
    const { measuring, telegramTime } = this.#device.features;
    const offset = telegramTime.stampOffsetAt(reading.time);
    const time = reading.time + offset;
    const transmitTime = Math.round(measuring.microseconds()) + offset;
    const [first, second] = referenceTimes;
    const sentTimes: [number, number] = [referenceTime(first, offset), referenceTime(second, offset)];
    const counted = { sequence, transmitTime, sender: this.#sender, frameNumber };
    return encodeEncoder({ ...counted, ticks, references, speed, time, referenceTimes: sentTimes }, buffer);
  }
}

/** Time of the last signal, on the clock of the reading, so that receivers can subtract; 0 if there was no signal. */
function referenceTime(time: number, offset: number): number {
  return time === 0 ? 0 : Math.max(1, time + offset);
}
