import { counted } from '@azimuth/model';
import { type CauseName, causes, explainedBy, type TimingFinding } from './findings.js';
import { clockFindings } from './judge-clock.js';
import type { Found, Judged, JudgedScanner } from './judged.js';
import type { Stream } from './stream.js';
import { durationText, ms } from './words.js';

/** Limits above which something is told. All that a quiet network and a right scanner do is below. */
const limits = {
  /** ms by which telegrams in another order must be late, one of a hundred, to be mixed up by a queue; their share. */
  mixed: 10,
  mixedShare: 0.02,
  /** Number of telegrams that may be very late: a program that sends may stop for a moment. */
  longDelays: 20,
  /** Share of scans. */
  together: 0.8,
  overlapping: 0.01,
  /** Least scans that are judged. */
  scans: 10,
  /** Beams may wait this many revolutions in the scanner. */
  revolutions: 1.5,
  /** Changes from one port of a host to another and back. */
  returns: 3,
  /** Restarts of the numbers that are too many for reboots, and the share of telegrams. */
  restarts: 10,
  restartShare: 0.02,
} as const;

type Rule = (judged: Judged, scanner: JudgedScanner) => Found | undefined;

const rules: readonly Rule[] = [
  mixture,
  reboot,
  wholeScans,
  sentLate,
  networkDelay,
  goingBack,
  overlap,
  order,
  duplicates,
  burstLoss,
  segmentLoss,
  silence,
];

/** Returns what is wrong with a scanner. What another finding explains is not told. @param begin time 0 of findings */
export function findingsOf(scanner: JudgedScanner, begin: number): readonly TimingFinding[] {
  const found = new Map<CauseName, Found>();
  for (const judged of scanner.streams) {
    const each = [...clockFindings(judged, scanner), ...rules.flatMap((rule) => rule(judged, scanner) ?? [])];
    for (const one of each) if (!found.has(one.cause)) found.set(one.cause, one);
  }
  const isExplained = ({ cause }: Found) => explainedBy[cause]?.some((other) => found.has(other)) === true;
  return [...found.values()]
    .filter((one) => !isExplained(one))
    .map(({ cause, text, at, remedy = causes[cause].remedy }) => ({
      cause,
      scanner: scanner.name,
      text,
      remedy,
      at: at === undefined ? undefined : at - begin,
    }));
}

function mixture({ stream }: Judged): Found | undefined {
  const { restarts, telegrams, returns } = stream;
  const many = restarts.count >= limits.restarts && restarts.count > limits.restartShare * telegrams;
  if (returns < limits.returns && !many) return undefined;
  return {
    cause: 'several-senders',
    text: 'two scanners with the same serial number send to one port: their numbers alternate',
    remedy: `${causes['several-senders'].remedy}; give each its own serial number`,
  };
}

function reboot({ stream }: Judged): Found | undefined {
  const [first] = stream.restarts.items;
  if (first === undefined) return undefined;
  const times = stream.restarts.count === 1 ? '' : ` (${counted(stream.restarts.count, 'time')})`;
  const silent = first.silent > 0 ? `, after ${durationText(first.silent)} without data` : '';
  return {
    cause: 'reboot',
    text: `the scanner has booted${times}: its telegrams count from the beginning again${silent}`,
    at: first.at,
  };
}

function wholeScans({ stream: { scans }, measures }: Judged): Found | undefined {
  const { spread, cameTogether, sentTogether } = scans;
  if (spread < limits.scans || cameTogether < limits.together * spread) return undefined;
  const oldest = measures.firstBeamToWholeScan;
  const age = oldest === undefined ? '' : `: the first beam is ${ms(oldest.median)} old when it comes`;
  return sentTogether >= limits.together * spread
    ? {
        cause: 'whole-scans',
        text: `the scanner passes on all segments of a scan at once, when the last one is measured${age}`,
      }
    : {
        cause: 'whole-scans',
        text: `a program on the way gathers whole scans: the scanner sends segments one by one, and they come all at once${age}`,
      };
}

function sentLate({ measures: { lastBeamToSent, frequency } }: Judged): Found | undefined {
  if (lastBeamToSent === undefined || frequency === undefined) return undefined;
  if (lastBeamToSent.median < (limits.revolutions * 1000) / frequency) return undefined;
  return {
    cause: 'sent-late',
    text: `the scanner sends telegrams ${ms(lastBeamToSent.median)} after their last beam, by its own clock`,
  };
}

function networkDelay({ stream, measures }: Judged): Found | undefined {
  const { jitter, delayLimit, longDelays, late, telegrams } = measures;
  // IMU telegrams do not tell when they were sent.
  if (stream.kind === 'imu' || jitter === undefined) return undefined;
  // A busy computer delays telegrams, but never changes their order.
  const areMixed = jitter.p99 > limits.mixed && late > limits.mixedShare * telegrams;
  if (!areMixed && jitter.p99 <= delayLimit && longDelays <= limits.longDelays) return undefined;
  return {
    cause: 'network-delay',
    text: `telegrams wait on their way, as behind other traffic: one of a hundred is ${ms(jitter.p99)} later than the quickest, the latest ${ms(jitter.most)}`,
  };
}

function overlap({ measures: { overlapping, scans } }: Judged): Found | undefined {
  if (scans < limits.scans || overlapping <= limits.overlapping * scans) return undefined;
  return {
    cause: 'stamps-overlap',
    text: `${overlapping} of ${counted(scans, 'scan')} begin before the last beam of the scan before, by their stamps`,
  };
}

function goingBack({ stream: { scans } }: Judged): Found | undefined {
  if (scans.back === 0) return undefined;
  return {
    cause: 'stamps-back',
    text: `stamps go back within ${counted(scans.back, 'scan')}, by up to ${durationText(scans.furthestBack)}`,
  };
}

/** IMU telegrams have no numbers. Where the clock jumps, their times say nothing about their order. */
function hasOrder({ kind }: Stream, { streams }: JudgedScanner): boolean {
  if (kind !== 'imu') return true;
  return streams.every(
    ({ stream: { steps, changes, restarts } }) => steps.count + changes.count + restarts.count === 0,
  );
}

function order({ stream, measures: { late } }: Judged, scanner: JudgedScanner): Found | undefined {
  if (late === 0 || !hasOrder(stream, scanner)) return undefined;
  return {
    cause: 'reordered',
    text: `${counted(late, `${stream.kind} telegram`)} came behind later ones`,
    at: stream.firstLate,
  };
}

function duplicates({ stream, measures: { repeated } }: Judged, scanner: JudgedScanner): Found | undefined {
  if (repeated === 0 || !hasOrder(stream, scanner)) return undefined;
  return {
    cause: 'duplicated',
    text: `${counted(repeated, `${stream.kind} telegram`)} came twice`,
    at: stream.firstRepeated,
  };
}

function burstLoss({ measures: { lost, kind } }: Judged): Found | undefined {
  if (lost.inBursts === 0 || lost.inBursts < lost.scattered) return undefined;
  const all = lost.inBursts + lost.scattered;
  return {
    cause: 'lost-scans',
    text: `${counted(all, `${kind} telegram`)} are lost, in ${counted(lost.bursts, 'gap')} of a whole scan and more`,
    at: lost.first,
  };
}

function segmentLoss(
  { measures: { lost, kind, telegrams } }: Judged,
  { damaged }: JudgedScanner,
): Found | undefined {
  const all = lost.scattered + lost.inBursts;
  if (lost.scattered <= lost.inBursts || all <= damaged) return undefined;
  const share = ((100 * all) / (telegrams + all)).toPrecision(2);
  return {
    cause: 'lost-segments',
    text: `${counted(all, `${kind} telegram`)} of ${telegrams + all} are lost (${share} %), one by one: their scans have gaps`,
    at: lost.first,
  };
}

function silence(
  { stream, measures: { silences, kind } }: Judged,
  { now }: JudgedScanner,
): Found | undefined {
  const quiet = silences.filter(({ lost }) => lost === 0);
  const trailing = now - stream.to;
  const ended = trailing > stream.longestPause ? [{ at: stream.to, ms: trailing, lost: 0 }] : [];
  const all = [...quiet, ...ended];
  const [first] = all;
  if (first === undefined) return undefined;
  const longest = all.reduce((most, each) => Math.max(most, each.ms), 0);
  return {
    cause: 'silence',
    text: `no ${kind} data came for ${durationText(longest)}${ended.length > 0 ? ', up to the end' : ''}, and no number is missing: the scanner sent none`,
    at: first.at,
  };
}
