import { type ConditionState, DeviceStatus, SCdevicestate } from '@azimuth/model';
import { faultText } from '../fault-text.js';

type StatusName = keyof typeof DeviceStatus;
type StatusNumber = (typeof DeviceStatus)[StatusName];
type ShortState = (typeof SCdevicestate)[keyof typeof SCdevicestate];

/**
 * The conditions behind DeviceStatus, the gravest first, each with its SCdevicestate. A scanner is not ready if it does
 * not measure, or if its measurements cannot be trusted until a person has checked it.
 */
const gravity = [
  ['DS_FatalError', SCdevicestate.Error],
  ['DS_Startup', SCdevicestate.Busy],
  ['DS_ServiceMode', SCdevicestate.Busy],
  ['DS_RecoverableError', SCdevicestate.Error],
  ['DS_ServiceRequired', SCdevicestate.Error],
  ['DS_SuspendedOperation', SCdevicestate.Busy],
  ['DS_ServiceRecommended', SCdevicestate.Ready],
] as const satisfies readonly (readonly [StatusName, ShortState])[];

/** Number of reasons for people. */
const mostReasons = 50;

export type Condition = (typeof gravity)[number][0];

/**
 * The conditions in force, each with its reasons. DeviceStatus shows the gravest one. It shows normal operation if
 * there is none. SCdevicestate follows.
 */
export class Conditions {
  readonly #reasons = new Map<Condition, Set<string>>();
  readonly #losses = new Set<string>();
  readonly #listeners = new Set<() => void>();
  readonly #changed: () => void;
  readonly #reasonsChanged: () => void;

  /**
   * @param changed called when DeviceStatus has changed
   * @param reasonsChanged called when a reason has come or gone
   */
  constructor(changed: () => void, reasonsChanged: () => void = () => undefined) {
    this.#changed = changed;
    this.#reasonsChanged = reasonsChanged;
  }

  /** Calls `listener` when a condition comes or goes, even if DeviceStatus shows a graver one. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  set(condition: Condition, reason: string, holds: boolean): void {
    const before = this.deviceStatus;
    const held = this.holds(condition);
    const reasons = this.#reasons.get(condition) ?? new Set();
    if (reasons.has(reason) === holds) return;
    if (holds) reasons.add(reason);
    else reasons.delete(reason);
    this.#reasons.set(condition, reasons);
    this.#reasonsChanged();
    if (this.deviceStatus !== before) this.#changed();
    if (this.holds(condition) === held) return;
    for (const listener of this.#listeners) listener();
  }

  /** Remembers all reasons. The returned function puts them back, and calls no listener: `putBack` does. */
  remember(): () => void {
    const reasons = Array.from(this.#reasons, ([condition, held]) => [condition, [...held]] as const);
    const losses = [...this.#losses];
    return () => {
      this.#reasons.clear();
      for (const [condition, held] of reasons) this.#reasons.set(condition, new Set(held));
      this.#losses.clear();
      for (const loss of losses) this.#losses.add(loss);
    };
  }

  /** Called when all parts of the scanner are put back: the listeners see the conditions that were remembered. */
  putBack(): void {
    this.#reasonsChanged();
    this.#changed();
    for (const listener of this.#listeners) listener();
  }

  holds(condition: Condition): boolean {
    return (this.#reasons.get(condition)?.size ?? 0) > 0;
  }

  holdsFor(condition: Condition, reason: string): boolean {
    return this.#reasons.get(condition)?.has(reason) ?? false;
  }

  /** Unreadable stored data is a recoverable error until it is stored again. */
  setLost(what: string, isLost: boolean): void {
    if (isLost) this.#losses.add(what);
    else this.#losses.delete(what);
    this.set('DS_RecoverableError', what, isLost);
  }

  /** True if all stored data is readable. */
  get intact(): boolean {
    return this.#losses.size === 0;
  }

  /** What is lost. The next start may find only a part of it: lost counters, for example, begin anew. */
  get losses(): readonly string[] {
    return [...this.#losses];
  }

  /** True if no condition is in force but those of lost data. */
  get areLosses(): boolean {
    for (const reasons of this.#reasons.values())
      for (const reason of reasons) if (!this.#losses.has(reason)) return false;
    return true;
  }

  /** The conditions in force with their reasons, the gravest first. */
  get inForce(): Readonly<Record<string, readonly string[]>> {
    const held = gravity.filter(([condition]) => this.holds(condition));
    return Object.fromEntries(
      held.map(([condition]) => [condition, [...(this.#reasons.get(condition) ?? [])]]),
    );
  }

  /** The conditions in force for people: one entry for each reason. */
  get state(): ConditionState {
    return gravity
      .flatMap(([condition]) =>
        [...(this.#reasons.get(condition) ?? [])].map((reason) => ({
          Status: DeviceStatus[condition],
          Reason: faultText(reason),
        })),
      )
      .slice(0, mostReasons);
  }

  get deviceStatus(): StatusNumber {
    return DeviceStatus[this.#gravest?.[0] ?? 'DS_NormalOperation'];
  }

  /** SCdevicestate. The output source DRDY is active exactly while it is Ready. */
  get shortState(): ShortState {
    return this.#gravest?.[1] ?? SCdevicestate.Ready;
  }

  get #gravest(): (typeof gravity)[number] | undefined {
    return gravity.find(([condition]) => this.holds(condition));
  }
}
