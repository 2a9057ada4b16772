import { shown } from '../match/matcher.js';
import { readTelegram } from '../telegram/reading.js';
import { type StepContext, Unmet } from './step-context.js';
import { receiverOf } from './stream.js';

/** A stream that a step has opened sends nothing. */
export interface SilenceStep {
  readonly kind: 'silence';
  /** Name of the port: that of the stream by default. */
  readonly from: string;
  /** Seconds of the scanner's clock, after a moment for what was on its way. */
  readonly seconds: number;
}

export function silence(from: string, seconds: number): SilenceStep {
  return { kind: 'silence', from, seconds };
}

/** ms of the scanner's clock in which telegrams may still come. */
const onTheirWay = 300;

/** @throws Unmet if a telegram comes */
export async function performSilence(step: SilenceStep, context: StepContext): Promise<void> {
  const { clock } = context.target;
  const receiver = receiverOf(step.from, context);
  await clock.wait(onTheirWay, context.signal);
  await receiver.settled();
  receiver.take();
  await clock.wait(step.seconds * 1000, context.signal);
  await receiver.settled();
  const came = receiver.take();
  const [first] = came;
  if (first === undefined) return;
  const { kind } = readTelegram(first);
  throw new Unmet({
    at: step.from,
    expected: `no telegram for ${step.seconds} s`,
    came: `${came.length} telegrams, the first: ${shown(kind)} of ${first.length} bytes`,
  });
}
