import { counted } from '@azimuth/model';
import type { LinkState } from '../connection/scanner-link.js';
import { deviceState, type Severity, severityRanks } from '../parts/states.js';

export interface Condition {
  readonly severity: Severity;
  readonly word: string;
  /** Advice for the person; empty if there is nothing to do. */
  readonly advice: string;
}

/** The word for a scanner about which nothing is known yet. */
const connecting = 'Connecting';

/** @param status the value of DeviceStatus @param isHot true if there is an alarm for the temperature */
export function conditionOf(state: LinkState, status: unknown, isHot: boolean): Condition {
  if (state.kind === 'unreachable') return { severity: 'bad', word: 'Gone', advice: 'It does not answer.' };
  // The scanner has sent its state once, even if changes do not arrive yet.
  if (status === undefined) return { severity: 'idle', word: connecting, advice: '' };
  const condition = deviceState(status);
  if (isHot && condition.severity !== 'bad') {
    return { severity: 'warn', word: 'Too hot', advice: 'Shade it, or let air at it.' };
  }
  return condition.severity === 'good' ? { ...condition, advice: '' } : condition;
}

/** Summary of all scanners of a list. It never says that all are well before the state of each is known. */
export function summaryOf(conditions: readonly Condition[]): string {
  const all = counted(conditions.length, 'scanner');
  const bad = conditions.filter(({ severity }) => severity === 'bad' || severity === 'warn').length;
  const unknown = conditions.filter(({ word }) => word === connecting).length;
  const trouble = bad === 0 ? `${all}.` : `${bad} of ${all} ${bad === 1 ? 'needs' : 'need'} you.`;
  if (unknown > 0) return `${trouble} Connecting to ${unknown} …`;
  return bad === 0 ? `${trouble} None needs you.` : trouble;
}

interface Sortable {
  readonly condition: Condition;
  readonly title: string;
}

/** Sorts scanners: those with problems first, then by their names; `Gate 2` stands before `Gate 10`. */
export function byTrouble(one: Sortable, other: Sortable): number {
  const rank = severityRanks[one.condition.severity] - severityRanks[other.condition.severity];
  return rank === 0 ? one.title.localeCompare(other.title, 'en', { numeric: true }) : rank;
}
