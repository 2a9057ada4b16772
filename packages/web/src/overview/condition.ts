import type { LinkState } from '../connection/scanner-link.js';
import { deviceState, type Severity } from '../parts/states.js';

export interface Condition {
  readonly severity: Severity;
  readonly word: string;
  /** Advice for the person; empty if there is nothing to do. */
  readonly advice: string;
}

/** @param status the value of DeviceStatus @param isHot true if there is an alarm for the temperature */
export function conditionOf(state: LinkState, status: unknown, isHot: boolean): Condition {
  if (state.kind === 'unreachable') return { severity: 'bad', word: 'Gone', advice: 'It does not answer.' };
  // The scanner has sent its state once, even if changes do not arrive yet.
  if (status === undefined) return { severity: 'idle', word: 'Connecting', advice: '' };
  const condition = deviceState(status);
  if (isHot && condition.severity !== 'bad') {
    return { severity: 'warn', word: 'Too hot', advice: 'Shade it, or let air at it.' };
  }
  return condition.severity === 'good' ? { ...condition, advice: '' } : condition;
}
