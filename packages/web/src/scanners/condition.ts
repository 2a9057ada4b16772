import type { LinkState } from '../connection/scanner-link.js';
import { deviceState } from '../parts/device-state.js';
import { type Severity, severityRanks } from '../parts/severity.js';

/** How a scanner is, in a word. */
export interface Condition {
  readonly severity: Severity;
  readonly word: string;
  /** What to do about it; empty if there is nothing to do. */
  readonly advice: string;
}

/** @param status the value of DeviceStatus @param isHot whether there is an alarm for the temperature */
export function conditionOf(state: LinkState, status: unknown, isHot: boolean): Condition {
  if (state.kind === 'gone') return { severity: 'bad', word: 'Gone', advice: 'It does not answer.' };
  if (state.kind === 'connecting') return { severity: 'idle', word: 'Connecting', advice: '' };
  const condition = deviceState(status);
  if (isHot && condition.severity !== 'bad') {
    return { severity: 'warn', word: 'Too hot', advice: 'Shade it, or let air at it.' };
  }
  return condition.severity === 'good' ? { ...condition, advice: '' } : condition;
}

interface Sortable {
  readonly condition: Condition;
  readonly title: string;
}

/** Those with trouble first, then by their names; `Gate 2` stands before `Gate 10`. */
export function byTrouble(one: Sortable, other: Sortable): number {
  const rank = severityRanks[one.condition.severity] - severityRanks[other.condition.severity];
  return rank === 0 ? one.title.localeCompare(other.title, 'en', { numeric: true }) : rank;
}
