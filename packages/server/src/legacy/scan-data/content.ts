import { type Device, echoesPerBeam, type Scan, type ScanGeometry } from '@azimuth/device';
import { type LegacyBeams, legacyBeams, legacyBeamsFollow } from '@azimuth/device/legacy';
import { basicSettings, EchoFilter, filter, measurementDataOutput, type Variable } from '@azimuth/model';
import type { LmdChannel } from '@azimuth/telegrams/legacy';
import { largestScanTelegram } from '../limits.js';

const { ScanDataConfig } = measurementDataOutput.members;
const { FREchoFilter } = filter.members;
const { EnableLongRangeMode } = basicSettings.members;

/** What `contentOf` reads. */
export const contentFollows: readonly Variable<unknown>[] = [
  ...legacyBeamsFollow,
  ScanDataConfig,
  FREchoFilter,
  EnableLongRangeMode,
];

/** The content of the telegrams of scans of one geometry. */
export interface Content {
  readonly beams: LegacyBeams;
  /** Number of beams that are sent: the values of a channel. */
  readonly values: number;
  /** Unit of distance, in mm: 2 if 16 bits are not enough with 1. */
  readonly scale: number;
  /** Echoes (numbered from 0) whose distances are sent, and echoes whose signal strengths are sent. */
  readonly distances: readonly number[];
  readonly strengths: readonly number[];
  readonly encoder: boolean;
  readonly deviceName: boolean;
  readonly time: boolean;
  /** Of the scans that pass the interval filter, every n-th is sent; at least 1. */
  readonly every: number;
}

/** The content of telegrams of scans of this geometry, according to the settings. */
export function contentOf(device: Device, geometry: ScanGeometry): Content {
  const config = device.read(ScanDataConfig);
  const beams = legacyBeams(device.parameters, geometry);
  const values = Math.ceil((beams.visible.end - beams.visible.first) / beams.increment);
  const echoes = echoesOf(device.read(FREchoFilter) === EchoFilter.ALL_ECHOS, config.reserved);
  return {
    beams,
    values,
    scale: device.read(EnableLongRangeMode) ? 2 : 1,
    ...fitting(echoes, config.RemDataConfig.bEnable ? echoes : [], values),
    encoder: config.EnableEncoderBlock,
    deviceName: config.bEnableDeviceName,
    time: config.bEnableTimeBlock,
    every: Math.max(1, config.reserved3),
  };
}

/**
 * The echoes that are sent: those that FREchoFilter passes and, if a mask was written, that are in the mask (bit n for
 * echo n). If none is left, the first one is sent: a telegram needs distances.
 */
function echoesOf(all: boolean, mask: number): readonly number[] {
  const there = Array.from({ length: all ? echoesPerBeam : 1 }, (_, echo) => echo);
  const chosen = mask === 0 ? there : there.filter((echo) => (mask & (1 << echo)) !== 0);
  return chosen.length === 0 ? [0] : chosen;
}

/** Most bytes of a telegram outside its channels, and of a channel without its values. */
const besides = 256;
const channelHead = 21;

/** Omits channels, signal strengths of later echoes first, until the binary telegram is small enough. */
function fitting(
  distances: readonly number[],
  strengths: readonly number[],
  values: number,
): Pick<Content, 'distances' | 'strengths'> {
  const most = Math.floor((largestScanTelegram - 1 - besides) / (channelHead + 2 * values));
  const sent = distances.slice(0, Math.max(1, most));
  return { distances: sent, strengths: strengths.slice(0, Math.max(0, most - sent.length)) };
}

/** The channels of a telegram. They are refilled from each scan without allocating memory. */
export class Channels {
  /** Distances first: drivers require this order. */
  readonly all: readonly LmdChannel<Uint16Array>[];
  readonly #content: Content;

  constructor(content: Content) {
    const { distances, strengths, scale } = content;
    this.#content = content;
    this.all = [
      ...distances.map((echo) => channelOf(content, `DIST${echo + 1}`, scale)),
      ...strengths.map((echo) => channelOf(content, `RSSI${echo + 1}`, 1)),
    ];
  }

  /** Copies the values of a scan. */
  fill(scan: Scan): void {
    const { distances, strengths } = this.#content;
    for (const [index, { data }] of this.all.entries()) {
      const distance = distances[index];
      if (distance !== undefined) this.#fillDistances(data, scan, distance);
      else this.#fillStrengths(data, scan, strengths[index - distances.length] ?? 0);
    }
  }

  #fillDistances(data: Uint16Array, { distance }: Scan, echo: number): void {
    const { beams, scale } = this.#content;
    const countsPerMm = 1 / scale;
    const stride = beams.increment * echoesPerBeam;
    let from = beams.visible.first * echoesPerBeam + echo;
    for (let to = 0; to < data.length; to++, from += stride) {
      data[to] = counts((distance[from] ?? 0) * countsPerMm);
    }
  }

  #fillStrengths(data: Uint16Array, { rssi }: Scan, echo: number): void {
    const { beams } = this.#content;
    const stride = beams.increment * echoesPerBeam;
    let from = beams.visible.first * echoesPerBeam + echo;
    for (let to = 0; to < data.length; to++, from += stride) data[to] = rssi[from] ?? 0;
  }
}

function channelOf({ beams, values }: Content, content: string, scale: number): LmdChannel<Uint16Array> {
  return {
    content,
    scale,
    offset: 0,
    startAngle: beams.start,
    angularStep: beams.step,
    data: new Uint16Array(values),
  };
}

/** The nearest integer from 0 to 65535. Other values are clipped. */
function counts(value: number): number {
  return value < 65535 ? (value + 0.5) | 0 : 65535;
}
