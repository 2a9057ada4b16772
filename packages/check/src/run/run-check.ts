import { type ConformanceCase, casesFor, type Stage } from '../cases/index.js';
import type { CheckSubject, CheckTarget } from '../scanner/checked-scanner.js';
import { HttpExchange } from '../wire/http-exchange.js';
import type { CaseResult } from './case-result.js';
import { Lateness } from './lateness.js';
import type { Leftover } from './leftover.js';
import { PutBack, type ValuesBefore } from './put-back.js';
import { type CaseContexts, runCase } from './run-case.js';
import { SilentInterfaces } from './silent-interfaces.js';
import { possibleParametersOf } from './touched.js';
import { leftoverWithoutSecrets, withoutSecrets } from './without-secrets.js';

/** Which cases a check runs. */
export interface CaseSelection {
  /** Stages that are permitted. */
  readonly stages: ReadonlySet<Stage>;
  /** Cases to run, of those that are permitted; all by default. */
  readonly only?: (id: string) => boolean;
}

/** How a check ends, and what it tells meanwhile. */
export interface RunOptions {
  /** Ends the check: no further step is done, and everything is put back. */
  readonly signal?: AbortSignal;
  /** Ends the putting back, too. What is not back then is left. */
  readonly abandon?: AbortSignal;
  /** Cases that are expected to fail, with their reasons: deviations that the profile of the scanner declares. */
  readonly deviations?: ReadonlyMap<string, string> | undefined;
  /** Called after each case. */
  readonly progress?: (result: CaseResult, done: number, all: number) => void;
}

/** What a check has done. */
export interface CheckRun {
  /** In the order in which the cases ran. */
  readonly results: readonly CaseResult[];
  /** What could not be put back. */
  readonly leftovers: readonly Leftover[];
  /** Why it ended before its last case; undefined if it did not. */
  readonly ended?: 'interrupted' | 'lost';
}

/** Longest time of an answer in ms. */
export const usualTimeout = 5000;

/**
 * Number of cases without an answer in time, of a scanner that answers others, after which an answer has only this part of the time:
 * an emulator may be silent at all that it does not know.
 */
const mostLate = 10;
const shortPart = 1 / 5;

/** Attempts at a case that fails while this computer is late. */
const mostAttempts = 3;

/** Stages after which all parameters are put back, before the next stage: what was not saved is lost by them. */
const losing: ReadonlySet<Stage> = new Set<Stage>(['reboot', 'destructive']);

/** Returns the cases of a check, in the order in which they run. */
export function selectedCases(
  subject: CheckSubject,
  { stages, only = () => true }: CaseSelection,
): readonly ConformanceCase[] {
  return casesFor(subject).filter(({ id, stage }) => stages.has(stage) && only(id));
}

/** Runs the permitted cases against a scanner, and returns their results. */
export async function runCheck(
  target: CheckTarget,
  subject: CheckSubject,
  options: CaseSelection & RunOptions,
): Promise<readonly CaseResult[]> {
  return (await runCases(selectedCases(subject, options), target, subject, options)).results;
}

/** Runs cases against a scanner, one after the other, and puts back what they have changed. */
export async function runCases(
  cases: readonly ConformanceCase[],
  target: CheckTarget,
  subject: CheckSubject,
  { signal = never(), abandon = never(), deviations = new Map(), progress }: RunOptions = {},
): Promise<CheckRun> {
  const http = new HttpExchange(target.url, target.timeoutMs ?? usualTimeout);
  const lateness = new Lateness(target.clock);
  const timed = { ...target, clock: lateness.clock };
  const shared = { target: timed, subject, http, samples: new Map() };
  const contexts: CaseContexts = {
    steps: { ...shared, signal: AbortSignal.any([signal, abandon]) },
    afterwards: { ...shared, signal: abandon },
  };
  const putBack = new PutBack(contexts.afterwards);
  const silent = new SilentInterfaces();
  let late = 0;
  const results: CaseResult[] = [];
  const ended = (why?: CheckRun['ended']): CheckRun => ({
    results,
    leftovers: putBack.leftovers.map((each) => leftoverWithoutSecrets(each, target)),
    ...(why === undefined ? {} : { ended: why }),
  });
  try {
    let whole: ValuesBefore = new Map();
    let wasPrepared = false;
    for (const one of cases) {
      if (signal.aborted) break;
      if (losing.has(one.stage) && whole.size === 0) whole = await readableOf(putBack, subject);
      if (!losing.has(one.stage) && whole.size > 0) {
        await putBack.restore(whole);
        whole = new Map();
      }
      // Cases that prepare nothing expect a scanner as it was, with all of its ports.
      if (wasPrepared && !isPrepared(one)) await putBack.restore(whole);
      wasPrepared = isPrepared(one);
      const reason = silent.reasonFor(one);
      const attempt = () => runCase(one, contexts, putBack);
      const outcome = reason === undefined ? await inTime(attempt, lateness) : untested(one, reason);
      const result = withoutSecrets(asDeclared(outcome, deviations.get(one.id)), target);
      results.push(result);
      progress?.(result, results.length, cases.length);
      await silent.note(result, target);
      if (isTooLate(result)) late += 1;
      if (late === mostLate) http.limit((target.timeoutMs ?? usualTimeout) * shortPart);
      if (lostAnswer(result) && !(await putBack.reachesAgain())) return ended('lost');
    }
    if (results.some((result) => result.case.stage === 'destructive')) putBack.saveAfterwards();
    await putBack.restore(whole);
    return ended(signal.aborted ? 'interrupted' : undefined);
  } finally {
    http.close();
  }
}

/** True for a case that shares what it changes with others: it is not put back after each of them. */
function isPrepared({ steps }: ConformanceCase): boolean {
  return steps.some(({ kind }) => kind === 'once');
}

/** Runs a case, and runs it again if it fails while this computer is late: its times say nothing of the scanner then. */
async function inTime(attempt: () => Promise<CaseResult>, lateness: Lateness): Promise<CaseResult> {
  for (let count = 1; ; count++) {
    lateness.forget();
    const result = await attempt();
    if (!lateness.isLate || !isRepeatable(result) || count === mostAttempts) return result;
  }
}

/** True for a failure of a scanner that answers, after which the same steps can be done again. */
function isRepeatable(result: CaseResult): boolean {
  const isFailure = result.verdict === 'fail' || result.verdict === 'warn' || result.verdict === 'noted';
  return isFailure && !lostAnswer(result) && result.case.stage !== 'destructive';
}

/** Returns the result of a case that is expected to fail, if a reason for it is declared. */
function asDeclared(result: CaseResult, reason: string | undefined): CaseResult {
  const { verdict } = result;
  if (reason === undefined || verdict === 'not-tested') return result;
  return { ...result, reason, verdict: verdict === 'pass' ? 'unexpected-pass' : 'deviation' };
}

/** Returns the parameters that can be read. */
async function readableOf(putBack: PutBack, subject: CheckSubject): Promise<ValuesBefore> {
  const all = new Map<string, unknown>();
  for (const name of possibleParametersOf(subject)) {
    const value = await putBack.readIfPossible(name);
    if (value !== undefined) all.set(name, value);
  }
  return all;
}

/** True if nothing was answered: the scanner may be gone. */
function lostAnswer({ failure }: CaseResult): boolean {
  return failure?.at === 'answer' || failure?.step === 0;
}

function isTooLate({ failure }: CaseResult): boolean {
  return failure?.at === 'answer' && failure.came.startsWith('no answer within');
}

function untested(one: ConformanceCase, reason: string): CaseResult {
  return { case: one, verdict: 'not-tested', reason, milliseconds: 0 };
}

function never(): AbortSignal {
  return new AbortController().signal;
}
