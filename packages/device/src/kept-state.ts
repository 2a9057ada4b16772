import type { KeptLogins } from './access/access.js';
import type { Behaviour } from './behaviour.js';
import type { DeviceContext } from './device-context.js';
import type { Measuring } from './measuring/measuring.js';
import type { KeptOperatingTime, OperatingData } from './operating-data/operating-data.js';
import type { ValueSet } from './parameters/parameters.js';
import type { StoredContent } from './parameters/stored-state.js';
import type { Line } from './recent-log.js';

/**
 * All that a scanner holds in memory beside its storage, as plain values. A scanner that nobody needs can be closed, and
 * started again with it: clients find it as it was.
 */
export interface KeptState {
  readonly logins: KeptLogins;
  /** Working values that differ from the stored ones. */
  readonly unsaved: ValueSet;
  readonly lastSave: StoredContent['saved'];
  readonly saves: readonly (readonly ['stored' | 'failed', number])[];
  /** Lost data that is not stored again yet. */
  readonly losses: readonly string[];
  readonly operatingTime: KeptOperatingTime;
  readonly scans: number;
  readonly skipped: number;
  readonly log: readonly Line[];
}

/** What the state of a scanner is kept of. */
export interface KeptParts {
  readonly behaviour: Pick<Behaviour, 'hasActed' | 'isReadAtBoot' | 'isUnderway'>;
  readonly context: Pick<
    DeviceContext,
    | 'access'
    | 'announcements'
    | 'conditions'
    | 'errors'
    | 'lifecycle'
    | 'log'
    | 'parameters'
    | 'saving'
    | 'state'
  >;
  readonly measuring: Pick<Measuring, 'scans' | 'skipped'>;
  readonly operatingData: Pick<OperatingData, 'counters'>;
}

/**
 * True if the state of this scanner is all that it holds: it is up and does nothing, nothing is wrong with it, and each
 * parameter that was written has had no effect but its value, and will have none at a boot.
 */
export function isKeepable({ behaviour, context }: KeptParts): boolean {
  const { announcements, conditions, errors, lifecycle, parameters, saving } = context;
  if (behaviour.hasActed || behaviour.isUnderway || saving.isUnderway) return false;
  if (!lifecycle.acceptsChanges || errors.counts.total > 0 || !conditions.areLosses) return false;
  return ![...parameters.changedSinceBoot].some(
    (name) => announcements.hasEffects(name) || behaviour.isReadAtBoot(name),
  );
}

export function keptState({ context, measuring, operatingData }: KeptParts): KeptState {
  const { access, conditions, log, parameters, saving, state } = context;
  return {
    logins: access.kept,
    unsaved: parameters.unsaved,
    lastSave: state.lastSave,
    saves: saving.saves.counts,
    losses: conditions.losses,
    operatingTime: operatingData.counters.kept,
    scans: measuring.scans,
    skipped: measuring.skipped,
    log: log.kept,
  };
}

/** Gives the state to a scanner that was just started again. */
export function takeUpState({ context, measuring, operatingData }: KeptParts, kept: KeptState): void {
  const { access, conditions, log, parameters, saving, state } = context;
  access.takeUp(kept.logins);
  parameters.takeUp(kept.unsaved);
  state.lastSave = kept.lastSave;
  saving.saves.addAll(kept.saves);
  for (const loss of kept.losses) conditions.setLost(loss, true);
  operatingData.counters.takeUp(kept.operatingTime);
  measuring.scans += kept.scans;
  measuring.skipped += kept.skipped;
  log.takeUp(kept.log);
}
