import type { OutputSegment } from '@azimuth/device';
import { measurementDataOutput, ScanDataFormat } from '@azimuth/model';
import type { ScanModule } from '@azimuth/telegrams';
import { encodeCompactScan, encodeMsgpackScan } from '@azimuth/telegrams/encode';
import type { Measured } from './measured.js';
import { senderIdOf } from './sender-id.js';
import type { Telegrams } from './telegrams.js';

const members = measurementDataOutput.members;

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** One row of beams, to be filled again and again. */
type Row = Writable<ScanModule> &
  Record<'firstBeamTime' | 'lastBeamTime' | 'firstAzimuth' | 'lastAzimuth', number[]>;

interface Content {
  readonly includeRssi: boolean;
  readonly includeProperties: boolean;
}

const everything: Content = { includeRssi: true, includeProperties: true };

/** Formats without telegrams here. */
const silent: Readonly<Record<number, string>> = {
  [ScanDataFormat.LMDscandata]:
    'ScanDataFormat is LMDscandata, which goes to the sessions of the legacy interfaces that ask for it',
  [ScanDataFormat.NativeROS2]: 'ScanDataFormat is NativeROS2, which is not built',
};

/** Scan data, a telegram a segment, as Compact (type 1) or MSGPACK. */
export class ScanTelegrams implements Telegrams<OutputSegment> {
  readonly #device: Measured;
  readonly #sender: number;
  #format: number = ScanDataFormat.Compact;
  #module: Row;
  readonly #telegram: { sequence: number; transmitTime: number; modules: readonly ScanModule[] };

  constructor(device: Measured) {
    this.#device = device;
    this.#sender = senderIdOf(device.identity.serialNumber);
    this.#module = moduleWith(everything, this.#sender);
    this.#telegram = { sequence: 0, transmitTime: 0, modules: [this.#module] };
  }

  configure(): string | undefined {
    this.#format = this.#device.parameters.read(members.ScanDataFormat);
    this.#module = moduleWith(this.#content, this.#sender);
    this.#telegram.modules = [this.#module];
    return silent[this.#format];
  }

  get preparing(): Promise<unknown> | undefined {
    return this.#device.measuring.preparing;
  }

  watch(due: (segment: OutputSegment) => void): () => void {
    return this.#device.measuring.watch({ segment: due });
  }

  /** In either format: MSGPACK has up to 7 bytes an echo and 4 a beam, and 520 for the rest. */
  mostBytes({ beams, echoes }: OutputSegment): number {
    return 1024 + beams * (8 * echoes + 8);
  }

  encode(segment: OutputSegment, sequence: number, room: Uint8Array): Uint8Array {
    const telegram = this.#telegram;
    fill(this.#module, segment);
    telegram.sequence = sequence;
    telegram.transmitTime = Math.round(this.#device.measuring.microseconds()) + segment.timeOffset;
    if (this.#format === ScanDataFormat.MSGPACK) return encodeMsgpackScan(telegram, room);
    return encodeCompactScan(telegram, room);
  }

  /** MSGPACK carries everything; so does Compact in releases that cannot choose. */
  get #content(): Content {
    const { parameters } = this.#device;
    const { compactTelegramType1Content: choice } = members;
    const isChosen = this.#format === ScanDataFormat.Compact && parameters.has(choice);
    return isChosen ? parameters.read(choice) : everything;
  }
}

/** A module that is filled again for each segment. What the telegram is not to carry, it does not have. */
function moduleWith({ includeRssi, includeProperties }: Content, sender: number): Row {
  return {
    segmentIndex: 0,
    frameNumber: 0,
    sender,
    rows: 1,
    columns: 0,
    echoes: 0,
    firstBeamTime: [0],
    lastBeamTime: [0],
    elevation: [0],
    firstAzimuth: [0],
    lastAzimuth: [0],
    scale: 1,
    availability: 1,
    distance: new Float32Array(0),
    azimuth: new Float32Array(0),
    ...(includeRssi ? { rssi: new Uint16Array(0) } : {}),
    ...(includeProperties ? { properties: new Uint8Array(0) } : {}),
  };
}

function fill(module: Row, segment: OutputSegment): void {
  module.segmentIndex = segment.index;
  module.frameNumber = segment.frame;
  module.columns = segment.beams;
  module.echoes = segment.echoes;
  module.firstBeamTime[0] = Math.round(segment.firstBeamTime) + segment.timeOffset;
  module.lastBeamTime[0] = Math.round(segment.lastBeamTime) + segment.timeOffset;
  module.firstAzimuth[0] = segment.firstAzimuth;
  module.lastAzimuth[0] = segment.lastAzimuth;
  module.scale = segment.scale;
  module.distance = segment.distance;
  module.azimuth = segment.azimuth;
  if (module.rssi !== undefined) module.rssi = segment.rssi;
  if (module.properties !== undefined) module.properties = segment.properties;
}
