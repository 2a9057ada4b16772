import type { ConditionEntry } from '../log/log-entry.js';
import type { ActiveCondition, ScannerSnapshot } from '../state/scanner-snapshot.js';
import type { ConditionKind, Detected } from './condition-kind.js';
import type { Limits } from './limits.js';

/** A change of a condition, without what all entries of the scanner have. */
export type ConditionChange = Omit<ConditionEntry, 'kind' | 'at' | 'scanner' | 'serial'>;

/** One kind of condition of one part of a scanner, which may begin or end. */
interface Tracked {
  readonly kind: ConditionKind;
  active: ActiveCondition | undefined;
  /** Since when the looks have shown the opposite of `active`: milliseconds since 1970-01-01 UTC. */
  changingSince: number | undefined;
}

/** The conditions of one scanner. Each begins once and ends once, however often it is seen meanwhile. */
export class ConditionWatch {
  readonly #kinds: readonly ConditionKind[];
  readonly #limits: Limits;
  readonly #tracked = new Map<string, Tracked>();

  /** @param active conditions that an earlier run of the monitor has logged as begun, and not as ended; those of other kinds are left out */
  constructor(kinds: readonly ConditionKind[], limits: Limits, active: readonly ActiveCondition[] = []) {
    this.#kinds = kinds;
    this.#limits = limits;
    for (const condition of active) {
      const kind = kinds.find(({ id }) => id === condition.id);
      if (kind === undefined) continue;
      this.#tracked.set(keyOf(kind.id, condition.part), {
        kind,
        active: condition,
        changingSince: undefined,
      });
    }
  }

  get active(): readonly ActiveCondition[] {
    return [...this.#tracked.values()].flatMap(({ active }) => (active === undefined ? [] : [active]));
  }

  /**
   * When the next condition begins or ends after a time, if nothing changes: milliseconds since 1970-01-01 UTC. Infinity
   * if none does. Conditions that could not be judged at that time are not waited for.
   */
  dueAfter(time: number): number {
    const times = [...this.#tracked.values()].flatMap(({ kind, active, changingSince }) =>
      changingSince === undefined ? [] : [changingSince + neededFor(kind, active)],
    );
    return Math.min(Number.POSITIVE_INFINITY, ...times.filter((due) => due > time));
  }

  /** The clock was set back by this many milliseconds: what is about to begin or end still does at its time. */
  setBack(by: number): void {
    for (const tracked of this.#tracked.values())
      if (tracked.changingSince !== undefined) tracked.changingSince -= by;
  }

  /** Judges a look at the scanner. Returns what has begun or ended. */
  judge(snapshot: ScannerSnapshot, now: number): readonly ConditionChange[] {
    return this.#kinds.flatMap((kind) => {
      const detected = kind.detect(snapshot, this.#limits, now);
      return detected === undefined ? [] : this.#update(kind, detected, now);
    });
  }

  #update(kind: ConditionKind, detected: readonly Detected[], now: number): ConditionChange[] {
    const prefix = keyOf(kind.id, '');
    const present = new Map(detected.map((each) => [keyOf(kind.id, each.part), each]));
    const known = [...this.#tracked.keys()].filter((key) => key.startsWith(prefix));
    return [...new Set([...known, ...present.keys()])].flatMap((key) =>
      this.#change(kind, key, present.get(key), now),
    );
  }

  #change(kind: ConditionKind, key: string, seen: Detected | undefined, now: number): ConditionChange[] {
    const tracked = this.#tracked.get(key) ?? { kind, active: undefined, changingSince: undefined };
    this.#tracked.set(key, tracked);
    const { active } = tracked;
    if ((seen === undefined) === (active === undefined)) {
      tracked.changingSince = undefined;
      if (active === undefined) this.#tracked.delete(key);
      else if (seen !== undefined) tracked.active = { ...active, text: seen.text };
      return [];
    }
    tracked.changingSince ??= now;
    if (now - tracked.changingSince < neededFor(kind, active)) return [];
    const { id, severity } = kind;
    if (seen !== undefined) {
      const begun = { id, severity, part: seen.part, text: seen.text, since: tracked.changingSince };
      this.#tracked.set(key, { kind, active: begun, changingSince: undefined });
      return [changeOf('begins', begun)];
    }
    this.#tracked.delete(key);
    return active === undefined ? [] : [changeOf('ends', active)];
  }
}

/** Returns the ms for which the opposite has to be seen. */
function neededFor({ beginsAfter, endsAfter }: ConditionKind, active: ActiveCondition | undefined): number {
  return (active === undefined ? beginsAfter : endsAfter) * 1000;
}

function keyOf(id: string, part: string): string {
  return `${id} ${part}`;
}

function changeOf(change: 'begins' | 'ends', { id, ...condition }: ActiveCondition): ConditionChange {
  return { change, condition: id, ...condition };
}
