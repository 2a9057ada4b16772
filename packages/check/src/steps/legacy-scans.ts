import { isObject } from '@azimuth/model';
import { type Json, type Matcher, mismatch } from '../match/matcher.js';
import type { LegacyFrame } from '../wire/legacy-frames.js';
import { LayoutProblem } from '../wire/legacy-layout.js';
import { legacyScan } from '../wire/legacy-scan.js';
import {
  awaitFrame,
  formOf,
  type LegacyLine,
  type LegacySession,
  sessionOf,
  shownPayload,
} from './legacy-session.js';
import { type StepContext, Unmet } from './step-context.js';

/** Several LMDscandata events in a row, of a connection that has subscribed. */
export interface LegacyScansStep extends LegacyLine {
  readonly kind: 'legacy-scans';
  /** Scans that are taken first and not compared: they began before a change. */
  readonly skip: number;
  readonly count: number;
  /** Times that they are taken at most until they are as expected, 1 by default: a busy scanner sends one late now and then. */
  readonly attempts?: number;
  /** Compared with `{ scans, steps }`: `steps` has how much each number of `stepped` grows from scan to scan. */
  readonly expect: Matcher;
}

/** Seconds of the scanner's time within which each scan comes. */
const longestWait = 3;

/** Beginning of each event. */
const expected = 'sSN LMDscandata';

const stepped = ['telegram', 'scan', 'started', 'sent'] as const;
/** Numbers wrap at so many bits. */
const bits = { telegram: 16, scan: 16, started: 32, sent: 32 } as const;

/** @throws Unmet, NotTestable, NoAnswer */
export async function performLegacyScans(step: LegacyScansStep, context: StepContext): Promise<void> {
  const session = await sessionOf(step, context);
  for (let skip = 0; skip < step.skip; skip++) await nextScan(session, context);
  for (let attempt = 1; ; attempt++) {
    const scans = await scansFrom(session, step, context);
    const wrong = mismatch(step.expect, { scans, steps: stepsOf(scans) }, 'LMDscandata', context);
    if (wrong === undefined) return;
    if (attempt >= (step.attempts ?? 1) || context.signal.aborted) throw new Unmet(wrong, session.byHand);
  }
}

function nextScan(session: LegacySession, context: StepContext): Promise<LegacyFrame> {
  const isWanted = ({ payload }: LegacyFrame) => payload.toString('latin1', 0, expected.length) === expected;
  return awaitFrame(session, { expected, isWanted, within: longestWait }, context);
}

async function scansFrom(
  session: LegacySession,
  step: LegacyScansStep,
  context: StepContext,
): Promise<readonly Readonly<Record<string, Json>>[]> {
  const scans: Readonly<Record<string, Json>>[] = [];
  for (let index = 0; index < step.count; index++) {
    const frame = await nextScan(session, context);
    if (frame.form !== formOf(step))
      throw new Unmet({ at: 'form of the event', expected: formOf(step), came: frame.form }, session.byHand);
    try {
      scans.push(legacyScan(frame.form, frame.payload.subarray(expected.length + 1)));
    } catch (error) {
      if (!(error instanceof LayoutProblem)) throw error;
      const came = shownPayload(frame);
      throw new Unmet({ at: 'LMDscandata', expected: error.message, came }, session.byHand);
    }
  }
  return scans;
}

function stepsOf(scans: readonly unknown[]): Json {
  return Object.fromEntries(
    stepped.map((name) => {
      const numbers = scans.map((scan) => (isObject(scan) ? Number(scan[name]) : 0));
      const size = 2 ** bits[name];
      return [name, numbers.slice(1).map((value, at) => (value - (numbers[at] ?? 0) + size) % size)];
    }),
  );
}
