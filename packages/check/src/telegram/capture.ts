import { factsOf, type Region, unevenness } from './beam-facts.js';
import type { MotionReading, Reading } from './reading.js';
import type { SegmentReading } from './segment-reading.js';
import { rounded } from './telegram-bytes.js';

/** What came in one stream, as the value that steps compare with a matcher. */
export interface Capture {
  readonly telegrams: readonly Readonly<Record<string, unknown>>[];
  readonly first: Readonly<Record<string, unknown>> | undefined;
  readonly last: Readonly<Record<string, unknown>> | undefined;
  /** Scans of which all telegrams are there: not the first and the last one that came. */
  readonly scans: readonly Readonly<Record<string, unknown>>[];
  /** Seconds of the scanner's clock until the first telegram came. */
  readonly waited: number;
  /** Telegrams in a second of the scanner's clock. */
  readonly perSecond: number;
}

/**
 * Puts readings together, and adds what changes from one telegram to the next.
 * @param before the telegram before the first; undefined if there was none
 * @param time seconds for which telegrams were taken, and until the first of them
 */
export function captureOf(
  readings: readonly Reading[],
  before: Reading | undefined,
  time: { readonly seconds: number; readonly waited: number },
  region: Region | undefined,
): Capture {
  const telegrams = readings.map((reading, index) =>
    telegramOf(reading, index === 0 ? before : readings[index - 1]),
  );
  const groups = scansIn(readings);
  const scans = groups
    .map((group, index) => scanOf(group, { before: groups[index - 1], after: groups[index + 1] }, region))
    .slice(1, -1);
  return {
    telegrams,
    first: telegrams[0],
    last: telegrams.at(-1),
    scans,
    waited: time.waited,
    perSecond: rounded(readings.length / time.seconds, 1),
  };
}

function telegramOf(reading: Reading, before: Reading | undefined): Readonly<Record<string, unknown>> {
  if (reading.kind === 'unreadable') return { ...reading };
  if (reading.kind !== 'scan') return { ...reading, ...stepOfMotion(reading, before) };
  const { beamList, ...fields } = reading;
  return { ...fields, ...partsOf(reading), ...stepOfSegment(reading, before) };
}

/** What follows from a segment alone. */
function partsOf({ beamList = [], ...segment }: SegmentReading): Readonly<Record<string, unknown>> {
  const { firstAzimuth = 0, lastAzimuth = 0, firstTime = 0, lastTime = 0, beams = 0, transmitTime } = segment;
  return {
    azimuthStep: beams < 2 ? undefined : rounded((lastAzimuth - firstAzimuth) / (beams - 1), 3),
    unevenness: unevenness(beamList, firstAzimuth, lastAzimuth),
    duration: lastTime - firstTime,
    /** µs from one beam to the next. */
    beamInterval: beams < 2 ? undefined : rounded((lastTime - firstTime) / (beams - 1), 1),
    sentAfterFirstBeam: transmitTime - firstTime,
    sentAfterLastBeam: transmitTime - lastTime,
    echoesSeen: beamList.reduce((sum, { distance }) => sum + distance.filter((d) => d > 0).length, 0),
  };
}

function stepOfSegment(now: SegmentReading, before: Reading | undefined): Readonly<Record<string, unknown>> {
  if (before?.kind !== 'scan') return {};
  const sameScan = now.frame === before.frame;
  return {
    sequenceStep: now.sequence - before.sequence,
    frameStep: difference(now.frame, before.frame),
    transmitStep: now.transmitTime - before.transmitTime,
    /** µs and degrees from the last beam of the telegram before to the first of this one. */
    beamTimeStep: difference(now.firstTime, before.lastTime),
    segmentStep: sameScan ? difference(now.segment, before.segment) : undefined,
    gap: sameScan ? rounded(difference(now.firstAzimuth, before.lastAzimuth) ?? 0, 3) : undefined,
  };
}

function stepOfMotion(now: MotionReading, before: Reading | undefined): Readonly<Record<string, unknown>> {
  if (before === undefined || before.kind === 'unreadable' || before.kind === 'scan') return {};
  return {
    timeStep: now.time - before.time,
    sequenceStep: difference(now.sequence, before.sequence),
    frameStep: difference(numberIn(now, 'frame'), numberIn(before, 'frame')),
    ticksStep: difference(numberIn(now, 'ticks'), numberIn(before, 'ticks')),
    transmitStep: difference(numberIn(now, 'transmitTime'), numberIn(before, 'transmitTime')),
  };
}

function numberIn(reading: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const value = reading[name];
  return typeof value === 'number' ? value : undefined;
}

function difference(now: number | undefined, before: number | undefined): number | undefined {
  return now === undefined || before === undefined ? undefined : now - before;
}

/** The segments of each scan, in the order in which they came. */
function scansIn(readings: readonly Reading[]): readonly (readonly SegmentReading[])[] {
  const groups: SegmentReading[][] = [];
  for (const reading of readings) {
    if (reading.kind !== 'scan') continue;
    const last = groups.at(-1);
    if (last?.[0]?.frame === reading.frame) last?.push(reading);
    else groups.push([reading]);
  }
  return groups;
}

function scanOf(
  segments: readonly SegmentReading[],
  { before, after }: Readonly<Record<'before' | 'after', readonly SegmentReading[] | undefined>>,
  region: Region | undefined,
): Readonly<Record<string, unknown>> {
  const beams = segments.flatMap(({ beamList = [] }) => beamList);
  const [first, last] = [segments[0], segments.at(-1)];
  return {
    frame: first?.frame,
    frameStep: difference(first?.frame, before?.[0]?.frame),
    /** µs to the first beam of the scan after. The beginning of the scan before may be missing: the capture may begin in it. */
    period: difference(after?.[0]?.firstTime, first?.firstTime),
    segments: segments.map(({ segment }) => segment),
    sizes: segments.map(({ beams: size }) => size),
    beams: beams.length,
    firstAzimuth: first?.firstAzimuth,
    lastAzimuth: last?.lastAzimuth,
    ...factsOf(beams, region),
  };
}
