import { NoAnswer } from '../wire/http-exchange.js';
import { performRequest, type RequestStep } from './request.js';
import { type StepContext, Unmet } from './step-context.js';

/** Repeats a request until its answer is as expected. */
export interface UntilStep {
  readonly kind: 'until';
  readonly request: RequestStep;
  readonly everySeconds: number;
  readonly withinSeconds: number;
}

export function until(request: RequestStep, withinSeconds: number, everySeconds = 0.25): UntilStep {
  return { kind: 'until', request, everySeconds, withinSeconds };
}

/** @throws Unmet or NoAnswer as the last attempt, NotTestable */
export async function performUntil(step: UntilStep, context: StepContext): Promise<void> {
  const { clock } = context.target;
  const end = clock.now() + step.withinSeconds * 1000;
  for (let waited = 0; ; waited += step.everySeconds) {
    const failure = await attempt(step.request, context);
    if (failure === undefined) return;
    if (waited >= step.withinSeconds || clock.now() >= end || context.signal.aborted) throw failure;
    await clock.wait(step.everySeconds * 1000, context.signal);
  }
}

async function attempt(request: RequestStep, context: StepContext): Promise<Unmet | NoAnswer | undefined> {
  try {
    await performRequest(request, context);
    return undefined;
  } catch (error) {
    if (error instanceof Unmet || error instanceof NoAnswer) return error;
    throw error;
  }
}
