import { type Device, echoesPerBeam, type Scan, type ScanGeometry } from '@azimuth/device';
import { type LegacyBeams, legacyBeams, legacyBeamsFollow, strengthStep } from '@azimuth/device/legacy';
import { basicSettings, EchoFilter, filter, measurementDataOutput, type Variable } from '@azimuth/model';
import type { LmdChannel } from '@azimuth/telegrams/legacy';

const { ScanDataConfig } = measurementDataOutput.members;
const { FREchoFilter } = filter.members;
const { EnableLongRangeMode } = basicSettings.members;

/** Variables that `contentOf` reads. */
export const contentFollows: readonly Variable<unknown>[] = [
  ...legacyBeamsFollow,
  ScanDataConfig,
  FREchoFilter,
  EnableLongRangeMode,
];

/** Content of the telegrams of scans of one geometry. */
export interface Content {
  readonly beams: LegacyBeams;
  /** Number of beams that are sent, which is the number of values of a channel. */
  readonly values: number;
  /** Unit of distance, in mm: 2 if 16 bits are not enough with 1. */
  readonly scale: number;
  /** Number of echoes of each beam that are sent. */
  readonly echoes: number;
  /** True if their signal strengths are sent, too. */
  readonly strengths: boolean;
  readonly encoder: boolean;
  readonly deviceName: boolean;
  readonly time: boolean;
}

/**
 * Returns the content of telegrams of scans of this geometry, according to the settings. FREchoFilter alone chooses the
 * echoes.
 */
export function contentOf(device: Device, geometry: ScanGeometry): Content {
  const config = device.read(ScanDataConfig);
  const beams = legacyBeams(device.parameters, geometry);
  return {
    beams,
    values: Math.ceil((beams.visible.end - beams.visible.first) / beams.increment),
    scale: device.read(EnableLongRangeMode) ? 2 : 1,
    echoes: device.read(FREchoFilter) === EchoFilter.ALL_ECHOS ? echoesPerBeam : 1,
    strengths: config.RemDataConfig.bEnable,
    encoder: config.EnableEncoderBlock,
    deviceName: config.bEnableDeviceName,
    time: config.bEnableTimeBlock,
  };
}

/** Channels of a telegram: the echoes in their order. They are refilled from each scan without allocating memory. */
export class Channels {
  /** Distances. */
  readonly wide: readonly LmdChannel<Uint16Array>[];
  /** Signal strengths. */
  readonly narrow: readonly LmdChannel<Uint8Array>[];
  readonly #content: Content;

  constructor(content: Content) {
    const { echoes, strengths, scale, values } = content;
    const numbers = Array.from({ length: echoes }, (_, echo) => echo + 1);
    this.#content = content;
    this.wide = numbers.map((number) => channelOf(content, `DIST${number}`, scale, new Uint16Array(values)));
    this.narrow = (strengths ? numbers : []).map((number) =>
      channelOf(content, `RSSI${number}`, 1, new Uint8Array(values)),
    );
  }

  /** Copies the values of a scan. A beam without a distance has no strength either. */
  fill({ distance, rssi }: Scan): void {
    const { beams, scale } = this.#content;
    const countsPerMm = 1 / scale;
    const first = beams.visible.first * echoesPerBeam;
    const stride = beams.increment * echoesPerBeam;
    for (const [echo, { data }] of this.wide.entries()) {
      for (let to = 0, from = first + echo; to < data.length; to++, from += stride) {
        data[to] = counts((distance[from] ?? 0) * countsPerMm);
      }
    }
    for (const [echo, { data }] of this.narrow.entries()) {
      const wideValues = this.wide[echo]?.data;
      for (let to = 0, from = first + echo; to < data.length; to++, from += stride) {
        data[to] = wideValues?.[to] === 0 ? 0 : strengthStep(rssi[from] ?? 0);
      }
    }
  }
}

function channelOf<Data extends Uint8Array | Uint16Array>(
  { beams }: Content,
  content: string,
  scale: number,
  data: Data,
): LmdChannel<Data> {
  return { content, scale, offset: 0, startAngle: beams.start, angularStep: beams.step, data };
}

/** Smallest number that is a distance: 0 means that there is none, and the numbers between are reserved. */
const leastCount = 16;

/** Returns the nearest integer; 0 for no echo, and for one that is too far away for 16 bits. */
function counts(value: number): number {
  if (value === 0 || value > 65_535) return 0;
  return value < leastCount ? leastCount : (value + 0.5) | 0;
}
