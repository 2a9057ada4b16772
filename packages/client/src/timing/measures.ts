import { type Jump, jumpedBefore } from './envelope.js';
import { type Fit, type Line, valueOn } from './fit.js';
import type { ComputerLateness } from './lateness.js';
import type { LostTelegrams } from './losses.js';
import type { StampClock, StreamKind } from './stamped.js';
import { type Spread, spreadOf } from './statistics.js';
import type { Silence, Stream, Stretch } from './stream.js';

/** Least time (ms) in which a drift shows. */
const leastDriftTime = 5000;

/** What arrives so many ms before or after this computer was late is not judged. */
const around = 10;

/** Least delay (ms) that counts as one, and how many times the lateness of computer and scanner. */
const leastDelay = 10;
const timesLateness = 2;
const longDelay = 5;

/** The measures of one stream. Times are in ms. */
export interface StreamMeasures {
  readonly kind: StreamKind;
  readonly formats: readonly string[];
  /** Address of the sender, without the port; empty in a file that does not tell it. */
  readonly host: string;
  /** The number that stands for its serial number; undefined for IMU data, which has none. */
  readonly sender: number | undefined;
  /** From its first telegram to its newest one. */
  readonly duration: number;
  readonly telegrams: number;
  readonly scans: number;
  /** Revolutions a second; undefined if it is not known. */
  readonly frequency: number | undefined;
  /** Telegrams of a scan. */
  readonly segments: number;
  readonly clock: StampClock;
  readonly late: number;
  readonly repeated: number;
  /** Scans whose beams reach back into the scan before. */
  readonly overlapping: number;
  readonly lost: LostTelegrams;
  readonly silences: readonly Silence[];
  readonly steps: readonly Jump[];
  /** How much longer telegrams were under way than the quickest. */
  readonly jitter: Spread | undefined;
  /**
   * Delay (ms) from which on a telegram has waited in the network: clearly more than this computer is late, and more than
   * the scanner is late itself, by its own clock.
   */
  readonly delayLimit: number;
  /** Number of telegrams that were under way for five times as long. */
  readonly longDelays: number;
  /** By how much the clock of the scanner is slow against this computer, in ppm; negative: it is fast. */
  readonly drift: { readonly ppm: number; readonly uncertainty: number } | undefined;
  /**
   * By how much the quickest telegrams arrived after they were sent, by the two clocks: how far the clock of the scanner is
   * behind this computer. Undefined unless stamps are UTC.
   */
  readonly behind: number | undefined;
  /** From the last beam of a telegram to its transmission, on the clock of the scanner. */
  readonly lastBeamToSent: Spread | undefined;
  /** These two assume that the quickest telegrams took no time. */
  readonly lastBeamToArrival: Spread | undefined;
  readonly firstBeamToWholeScan: Spread | undefined;
  /** Telegrams that are not judged, because this computer was late when they arrived. */
  readonly leftOut: number;
}

/** Measures a stream up to now. */
export function measuresOf(stream: Stream, lateness: ComputerLateness): StreamMeasures {
  const { scans, steps } = stream;
  const jumps = steps.items;
  const parts = stream.stretches.map((stretch) => judgedStretch(stretch, jumps, lateness));
  const longest = parts.toSorted((one, other) => other.span - one.span)[0];
  const newest = parts.at(-1);
  const { turn } = scans.clock;
  const sent = spreadOf(joined(parts.map(({ sent }) => sent)));
  const late = Math.max(lateness.p99, sent === undefined ? 0 : sent.p99 - sent.median);
  const delayLimit = Math.max(leastDelay, timesLateness * late);
  const delays = joined(parts.map(({ jitter }) => jitter));
  const segments = stream.kind === 'scan' ? scans.segments : 1;
  return {
    kind: stream.kind,
    formats: [...stream.formats],
    host: stream.host,
    sender: stream.sender,
    duration: stream.to - stream.from,
    telegrams: stream.telegrams,
    scans: scans.count,
    frequency: turn === undefined || turn <= 0 ? undefined : 1000 / turn,
    segments,
    clock: stream.clock,
    late: stream.late,
    repeated: stream.repeated,
    overlapping: scans.overlapping,
    lost: stream.losses.lost(segments),
    silences: stream.silences.items.filter(
      ({ at, ms }) => ms > stream.longestPause && !lateness.covers(at + ms, around),
    ),
    steps: jumps,
    jitter: spreadOf(delays),
    delayLimit,
    longDelays: delays.filter((delay) => delay > longDelay * delayLimit).length,
    drift: driftOf(longest?.fit),
    behind: stream.clock === 'UTC' ? newest?.quickest : undefined,
    lastBeamToSent: sent,
    lastBeamToArrival: spreadOf(joined(parts.map(({ beams }) => beams))),
    firstBeamToWholeScan: spreadOf(joined(parts.map(({ whole }) => whole))),
    leftOut: parts.reduce((total, part) => total + part.leftOut, 0),
  };
}

interface JudgedStretch {
  readonly span: number;
  readonly fit: Fit | undefined;
  readonly quickest: number | undefined;
  readonly jitter: readonly number[];
  readonly sent: readonly number[];
  readonly beams: readonly number[];
  readonly whole: readonly number[];
  readonly leftOut: number;
}

function judgedStretch(stretch: Stretch, jumps: readonly Jump[], lateness: ComputerLateness): JudgedStretch {
  const fit = stretch.envelope.fit(jumps);
  const base = baseOf(stretch, jumps, fit);
  const isPrompt = ({ time }: { readonly time: number }) => !lateness.covers(time, around);
  const samples = stretch.samples.kept.filter(isPrompt);
  const scans = stretch.scans.kept.filter(isPrompt);
  const wait = (at: { readonly time: number; readonly delay: number }) =>
    Math.max(0, at.delay - jumpedBefore(jumps, at.time) - valueOn(base, at.time));
  const jitter = samples.map(wait);
  return {
    span: stretch.end - stretch.begin,
    fit,
    quickest: valueOn(base, stretch.end) + jumpedBefore(jumps, stretch.end),
    jitter,
    sent: samples.map(({ age }) => age),
    beams: samples.map(({ age }, index) => age + (jitter[index] ?? 0)),
    whole: scans.map((scan) => scan.age + wait(scan)),
    leftOut: stretch.samples.kept.length - samples.length,
  };
}

/** Returns the delay of telegrams that waited nowhere, as a line over time. */
function baseOf({ samples }: Stretch, jumps: readonly Jump[], fit: Fit | undefined): Line {
  if (fit !== undefined) return fit;
  const delays = samples.kept.map(({ time, delay }) => delay - jumpedBefore(jumps, time));
  const least = delays.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  return { at: 0, value: Number.isFinite(least) ? least : 0, slope: 0 };
}

/** A delay that grows means that the clock of the scanner is slow. */
function driftOf(fit: Fit | undefined): StreamMeasures['drift'] {
  if (fit === undefined || fit.span < leastDriftTime || !Number.isFinite(fit.uncertainty)) return undefined;
  return { ppm: fit.slope * 1e6, uncertainty: fit.uncertainty * 1e6 };
}

function joined(parts: readonly (readonly number[])[]): Float64Array {
  return Float64Array.from(parts.flat());
}
