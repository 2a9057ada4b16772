import { isObject } from '@azimuth/model';
import { NotTestable, type StepContext } from './step-context.js';

/** Waits. */
export interface PauseStep {
  readonly kind: 'pause';
  /** Duration, or the name of a saved number of seconds. */
  readonly seconds: number | { readonly saved: string };
  /** Seconds to wait in addition. */
  readonly plus?: number;
}

export function pause(seconds: PauseStep['seconds'], plus = 0): PauseStep {
  return { kind: 'pause', seconds, plus };
}

/** Longest pause of a case in s, if the target states none. */
const usualPatience = 90;

/** @throws NotTestable if the pause is longer than the target allows */
export async function performPause(step: PauseStep, { target, saved, signal }: StepContext): Promise<void> {
  const { patienceSeconds = usualPatience } = target;
  const stated = isObject(step.seconds) ? Number(saved.get(step.seconds.saved)) : step.seconds;
  const seconds = stated + (step.plus ?? 0);
  if (!(seconds <= patienceSeconds))
    throw new NotTestable(`takes ${seconds} s, and at most ${patienceSeconds} s are allowed`);
  await target.clock.wait(seconds * 1000, signal);
}
