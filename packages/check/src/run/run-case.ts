import type { ConformanceCase, RequirementLevel } from '../cases/index.js';
import { perform } from '../steps/perform.js';
import type { Step } from '../steps/step.js';
import { NotTestable, type StepContext, Unmet } from '../steps/step-context.js';
import { NoAnswer } from '../wire/http-exchange.js';
import type { CaseFailure, CaseResult, Verdict } from './case-result.js';
import type { Leftover } from './leftover.js';
import type { PutBack, ValuesBefore } from './put-back.js';
import type { RunContext } from './run-context.js';
import { whyNotTestable } from './testability.js';
import { saves, touchedBy } from './touched.js';

/** What came out of the steps of a case. */
export type Outcome = Pick<CaseResult, 'verdict' | 'failure' | 'reason'>;

const failedVerdicts: Readonly<Record<RequirementLevel, Verdict>> = {
  must: 'fail',
  should: 'warn',
  informational: 'noted',
};

/** Contexts of a case: its steps end with the check, and what puts back does not. */
export interface CaseContexts {
  readonly steps: RunContext;
  readonly afterwards: RunContext;
}

/**
 * Runs the steps of one case, its cleanup, and puts back the variables that it has changed. It never throws for what a scanner
 * does.
 */
export async function runCase(
  one: ConformanceCase,
  contexts: CaseContexts,
  putBack: PutBack,
): Promise<CaseResult> {
  const started = performance.now();
  const outcome = await outcomeOf(one, contexts, putBack);
  return { case: one, ...outcome, milliseconds: performance.now() - started };
}

async function outcomeOf(
  one: ConformanceCase,
  { steps, afterwards }: CaseContexts,
  putBack: PutBack,
): Promise<Outcome> {
  const untestable = whyNotTestable(one, steps.target, steps.subject);
  if (untestable !== undefined) return { verdict: 'not-tested', reason: untestable };
  const closing: (() => unknown)[] = [];
  try {
    const before = new Map(await putBack.read(touchedBy(one, steps.subject)));
    const own = {
      saved: new Map<string, unknown>(),
      closeAtEnd: (close: () => unknown) => closing.push(close),
      changing: (name: string, value: unknown) => {
        if (!before.has(name)) before.set(name, value);
      },
    };
    if (saves(one)) putBack.saveAfterwards();
    const { outcome, done } = await performed(one, { ...steps, ...own });
    const toClean = isUnchanged(outcome, done) ? [] : (one.cleanup ?? []);
    const cleanup = await cleanedUp(toClean, { ...afterwards, ...own }, putBack);
    const lost = await lostBy(putBack, before);
    return outcome.verdict === 'pass' ? (failedAfterwards(one, cleanup, lost) ?? outcome) : outcome;
  } catch (error) {
    if (error instanceof NotTestable) return { verdict: 'not-tested', reason: error.message };
    throw error;
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

/** What came out of the steps of a case, and those that were begun. */
export interface Performed {
  readonly outcome: Outcome;
  readonly done: readonly Step[];
}

/** Does the steps of a case, up to the first that fails. */
export async function performed(one: ConformanceCase, context: StepContext): Promise<Performed> {
  const done: Step[] = [];
  const outcome = await outcomeOfSteps(one, context, done);
  return { outcome, done };
}

/**
 * True if a case is not tested after reads alone. Its cleanup would change what the case has left alone: a scanner would lose
 * a certificate because it has one.
 */
function isUnchanged({ verdict }: Outcome, done: readonly Step[]): boolean {
  return verdict === 'not-tested' && done.every((step) => step.kind === 'request' && step.method === 'GET');
}

/** @param begun gets each step before it is done */
async function outcomeOfSteps(one: ConformanceCase, context: StepContext, begun: Step[]): Promise<Outcome> {
  try {
    for (const each of one.steps) {
      begun.push(each);
      if (context.signal.aborted) break;
      await perform(each, context);
    }
  } catch (error) {
    if (error instanceof NotTestable) return { verdict: 'not-tested', reason: error.message };
    const failure = failureOf(error, begun.length);
    // A wait on the signal may reject with its reason.
    if (failure === undefined && !context.signal.aborted) throw error;
    if (failure !== undefined && !context.signal.aborted)
      return { verdict: failedVerdicts[one.level], failure };
  }
  return context.signal.aborted ? { verdict: 'not-tested', reason: 'interrupted' } : { verdict: 'pass' };
}

/** Does the steps that clean up, each whatever became of the others. @returns the first failure */
async function cleanedUp(
  steps: readonly Step[],
  context: StepContext,
  putBack: PutBack,
): Promise<CaseFailure | undefined> {
  let first: CaseFailure | undefined;
  for (const step of steps) {
    const failure = await cleanupFailure(step, context);
    if (failure === undefined) continue;
    // After a reboot, or a lost connection, it is tried once more.
    const isBack = failure instanceof NoAnswer && (await putBack.reachesAgain());
    const last = isBack ? await cleanupFailure(step, context) : failure;
    first ??= last && failureOf(last, 0);
  }
  return first;
}

async function cleanupFailure(step: Step, context: StepContext): Promise<Unmet | NoAnswer | undefined> {
  try {
    await perform(step, context);
    return undefined;
  } catch (error) {
    if (error instanceof Unmet || error instanceof NoAnswer) return error;
    // Nothing was done that needs a missing password or wire.
    if (error instanceof NotTestable) return undefined;
    throw error;
  }
}

/** Returns what of the variables of this case is not back. */
async function lostBy(putBack: PutBack, before: ValuesBefore): Promise<Leftover | undefined> {
  const leftovers = await putBack.restore(before);
  return leftovers.find(({ name }) => name !== undefined && before.has(name));
}

function failedAfterwards(
  { level }: ConformanceCase,
  cleanup: CaseFailure | undefined,
  lost: Leftover | undefined,
): Outcome | undefined {
  const failure =
    cleanup ??
    (lost && {
      step: 0,
      at: lost.name ?? '',
      expected: 'the value from before, written back',
      came: lost.what,
      byHand: [lost.command],
    });
  return failure && { verdict: failedVerdicts[level], failure };
}

/** Returns what a scanner did otherwise; undefined for an error of this program. */
function failureOf(error: unknown, step: number): CaseFailure | undefined {
  if (error instanceof Unmet) return { ...error.mismatch, step, byHand: error.byHand };
  if (error instanceof NoAnswer)
    return { at: 'answer', expected: 'an answer', came: error.message, step, byHand: [] };
  return undefined;
}
