import type { FaultKind, faultGroups, PlannedFault } from '@azimuth/model/faults';
import type { Occurrence } from './occurrence.js';

export type HttpKind = keyof (typeof faultGroups)['HTTP'];
export type EventKind = keyof (typeof faultGroups)['Events'];
export type LegacyKind = keyof (typeof faultGroups)['Legacy protocol'];
export type StreamKind = keyof (typeof faultGroups)['Data streams'];

/** An occurrence of a fault of one of these kinds. */
export type RunOf<Kind extends FaultKind> = Occurrence<Extract<PlannedFault, { readonly kind: Kind }>>;
export type RunsOf<Kind extends FaultKind> = readonly RunOf<Kind>[];

/** Those of these kinds; undefined if there are none. */
export function runsOf<Kind extends FaultKind>(
  runs: Iterable<Occurrence>,
  kinds: Readonly<Record<Kind, unknown>>,
): RunsOf<Kind> | undefined {
  const found = [...runs].filter((run): run is RunOf<Kind> => isOneOf(run, kinds));
  return found.length === 0 ? undefined : found;
}

/** Is it a fault of one of these kinds? */
export function isOneOf<Kind extends FaultKind>(
  run: Occurrence,
  kinds: Readonly<Record<Kind, unknown>>,
): run is RunOf<Kind> {
  return Object.hasOwn(kinds, run.fault.kind);
}
