import { TimingAnalysis, type TimingReport } from '@azimuth/client/timing';
import type { Telegram } from '@azimuth/telegrams';

/** A telegram on its way. */
export interface Arrival {
  readonly at: number;
  readonly telegram: Telegram;
  readonly from: string;
}

export interface Beat {
  readonly seconds?: number;
  /** Hz. */
  readonly frequency?: number;
  readonly segments?: number;
  readonly sender?: number;
  readonly from?: string;
  /** What the clock of the scanner shows (ms) at a true time (ms since the scanner came up). */
  readonly clock?: (time: number) => number;
  /** ms from the last beam of a telegram until it is sent. */
  readonly sends?: number;
  /** Passes each n-th scan only. */
  readonly every?: number;
  /** Indices of the segments that are sent. */
  readonly range?: readonly number[];
  /** Numbers begin with these. */
  readonly sequence?: number;
  readonly frame?: number;
  /** True time of its first beam in ms. */
  readonly begins?: number;
}

/** When the scanner came up, by the clock of this computer (ms). */
export const cameUp = 1_800_000_000_000;

/** The least delay of a telegram in ms. */
const quickest = 0.15;

/** Telegrams of a scanner whose mirror turns evenly, as they arrive over a quiet network. */
export function beat({
  seconds = 20,
  frequency = 15,
  segments = 10,
  sender = 123_456_789,
  from = '192.168.0.1:40000',
  clock = (time) => time,
  sends = 0.05,
  every = 1,
  range = Array.from({ length: segments }, (_, index) => index),
  sequence = 1,
  frame = 1,
  begins = 12_000,
}: Beat = {}): Arrival[] {
  const turn = 1000 / frequency;
  const part = ((276 / 360) * turn) / segments;
  const arrivals: Arrival[] = [];
  let number = sequence;
  for (let scan = 0; scan * turn < seconds * 1000; scan += every) {
    for (const index of range) {
      const first = begins + scan * turn + index * part;
      const last = first + part * 0.99;
      const shown = (time: number) => Math.round(clock(time) * 1000);
      const telegram = scanTelegram({
        sequence: number++,
        sender,
        frame: frame + scan,
        segment: index,
        // All of a scan is told by one clock.
        first: shown(begins + scan * turn) + Math.round((first - begins - scan * turn) * 1000),
        last: shown(begins + scan * turn) + Math.round((last - begins - scan * turn) * 1000),
        sent: shown(begins + scan * turn) + Math.round((last + sends - begins - scan * turn) * 1000),
      });
      arrivals.push({ at: cameUp + last + sends + quickest, telegram, from });
    }
  }
  return arrivals;
}

interface Numbers {
  readonly sequence: number;
  readonly sender: number;
  readonly frame: number;
  readonly segment: number;
  readonly first: number;
  readonly last: number;
  readonly sent: number;
}

const none = new Float32Array(0);

export function scanTelegram({ sequence, sender, frame, segment, first, last, sent }: Numbers): Telegram {
  const module = {
    segmentIndex: segment,
    frameNumber: frame,
    sender,
    rows: 1,
    columns: 0,
    echoes: 1,
    firstBeamTime: [first],
    lastBeamTime: [last],
    elevation: [0],
    firstAzimuth: [0],
    lastAzimuth: [0],
    scale: 1,
    availability: 1,
    distance: none,
  };
  return { kind: 'scan', format: 'Compact', telegram: { sequence, transmitTime: sent, modules: [module] } };
}

/** Analyses telegrams in the order in which they arrive. */
export function analysed(arrivals: readonly Arrival[], analysis = new TimingAnalysis()): TimingAnalysis {
  for (const { telegram, at, from } of arrivals.toSorted((one, other) => one.at - other.at)) {
    analysis.push(telegram, at, from);
  }
  return analysis;
}

/** The names of the causes that are found, in their order. */
export function causesIn(report: TimingReport): readonly string[] {
  return report.findings.map(({ cause }) => cause);
}
