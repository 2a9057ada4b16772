import { NoAnswer } from '../wire/http-exchange.js';
import { get, type RequestStep } from './request.js';
import { type StepContext, Unmet } from './step-context.js';
import { type UntilStep, until } from './until.js';

/** Waits until the web server does not answer any more. */
export interface DownStep {
  readonly kind: 'down';
  readonly withinSeconds: number;
}

export function down(withinSeconds = 10): DownStep {
  return { kind: 'down', withinSeconds };
}

/** Longest time from a call that reboots to the first answer in s. Cases about this time itself state another one. */
const longestBoot = 120;

/** Waits until the scanner answers again. */
export function up(withinSeconds = longestBoot): UntilStep {
  return until(get('SerialNumber', { status: 0 }), withinSeconds);
}

/** Makes a call that reboots the scanner, and waits until it is up again. */
export function rebooted(request: RequestStep): readonly [RequestStep, DownStep, UntilStep] {
  return [request, down(), up()];
}

/** Time in s between two looks. */
const every = 0.1;

/** @throws Unmet if it still answers */
export async function performDown({ withinSeconds }: DownStep, context: StepContext): Promise<void> {
  const { http, target, signal } = context;
  const end = target.clock.now() + withinSeconds * 1000;
  for (let waited = 0; await answers(http); waited += every) {
    if (waited >= withinSeconds || target.clock.now() >= end || signal.aborted)
      throw new Unmet({
        at: 'web server',
        expected: `no answer within ${withinSeconds} s, because the scanner reboots`,
        came: 'it still answers',
      });
    await target.clock.wait(every * 1000, signal);
  }
}

async function answers(http: StepContext['http']): Promise<boolean> {
  try {
    await http.get('/api/SerialNumber');
    return true;
  } catch (error) {
    if (error instanceof NoAnswer) return false;
    throw error;
  }
}
