import type { Json, Matcher } from '../../match/matcher.js';
import { type SampleStep, type Step, sample } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';

type Fields = Readonly<Record<string, Matcher>>;
type Settings = SampleStep['settings'];

/** Settings with which all beams come as they are measured: in Compact with all values, 15 Hz, a third of a degree. */
export const unfiltered = {
  ScanDataFormat: 2,
  compactTelegramType1Content: { includeRssi: true, includeProperties: true },
  PerformanceProfileNumber: 2,
  FREchoFilter: 1,
  LFPangleRangeFilter: { bEnable: false },
  LFPintervalFilter: { bEnable: false },
  LFPmovingAveragingFilter: { bEnable: false },
  LFPradialDistanceRangeFilter: { bEnable: false },
  LFPcubicareafilter: { bEnable: false },
  LFPparticle: { bEnable: false },
  EnableLongRangeMode: false,
  MCSenseLevel: 0,
} as const;

/** The same in MSGPACK. */
export const unfilteredMsgpack = { ...unfiltered, ScanDataFormat: 1 } as const;

/** A case about what a stream sends, without what all of them have. */
export type StreamCase = Omit<ConformanceCase, 'stage' | 'needs'>;

/** Completes a case. */
export function streamCase(one: StreamCase): ConformanceCase {
  return { stage: 'write', needs: ['streams'], ...one };
}

/** Each telegram has these fields; there are at least 8. */
export function eachTelegram(fields: Fields, atLeast = 8): Matcher {
  return { has: { telegrams: { items: { has: fields }, atLeast } } };
}

/** Each whole scan has these fields; there are at least 2. */
export function eachScan(fields: Fields, atLeast = 2): Matcher {
  return { has: { scans: { items: { has: fields }, atLeast } } };
}

/** Steps that take some scans with the settings of `unfiltered`, or others, and compare all telegrams. */
export function scanTelegrams(fields: Fields, settings: Settings = unfiltered): readonly Step[] {
  return [sample('scan', settings, { scans: 3 }, eachTelegram(fields))];
}

/** The same for whole scans. */
export function wholeScans(fields: Fields, settings: Settings = unfiltered): readonly Step[] {
  return [sample('scan', settings, { scans: 3 }, eachScan(fields))];
}

/** A number. */
export const is = (value: Json): Matcher => ({ is: value });

/** A number that may differ by a share of it. */
export function about(value: number, share: number): Matcher {
  return { from: value * (1 - share), to: value * (1 + share) };
}

/** A step from one telegram to the next, which the first one may lack. */
export function step(matcher: Matcher): Matcher {
  return { any: [{ absent: true }, matcher] };
}
