import { DeviceStatus, SCdevicestate } from '@azimuth/model';

type StatusName = keyof typeof DeviceStatus;
type StatusNumber = (typeof DeviceStatus)[StatusName];
type ShortState = (typeof SCdevicestate)[keyof typeof SCdevicestate];

/** What bears on the device status, the gravest first. */
const gravity = [
  'DS_FatalError',
  'DS_Startup',
  'DS_ServiceMode',
  'DS_RecoverableError',
  'DS_ServiceRequired',
  'DS_SuspendedOperation',
  'DS_ServiceRecommended',
] as const satisfies readonly StatusName[];

export type Condition = (typeof gravity)[number];

/**
 * The conditions in force, each for the reasons that hold it. DeviceStatus shows the gravest one, normal operation
 * where there is none; SCdevicestate follows.
 */
export class Conditions {
  readonly #reasons = new Map<Condition, Set<string>>();
  readonly #listeners = new Set<() => void>();
  readonly #changed: () => void;

  /** @param changed is called when DeviceStatus is another one. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Calls `listener` when a condition comes or goes, also where a graver one is what DeviceStatus shows. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  set(condition: Condition, reason: string, holds: boolean): void {
    const before = this.deviceStatus;
    const held = this.holds(condition);
    const reasons = this.#reasons.get(condition) ?? new Set();
    if (holds) reasons.add(reason);
    else reasons.delete(reason);
    this.#reasons.set(condition, reasons);
    if (this.deviceStatus !== before) this.#changed();
    if (this.holds(condition) === held) return;
    for (const listener of this.#listeners) listener();
  }

  holds(condition: Condition): boolean {
    return (this.#reasons.get(condition)?.size ?? 0) > 0;
  }

  holdsFor(condition: Condition, reason: string): boolean {
    return this.#reasons.get(condition)?.has(reason) ?? false;
  }

  /** Every condition that holds, with its reasons, the gravest first. */
  get inForce(): Readonly<Record<string, readonly string[]>> {
    const held = gravity.filter((condition) => this.holds(condition));
    return Object.fromEntries(
      held.map((condition) => [condition, [...(this.#reasons.get(condition) ?? [])]]),
    );
  }

  get deviceStatus(): StatusNumber {
    const gravest = gravity.find((condition) => this.holds(condition));
    return DeviceStatus[gravest ?? 'DS_NormalOperation'];
  }

  get shortState(): ShortState {
    switch (this.deviceStatus) {
      case DeviceStatus.DS_UnknownState:
      case DeviceStatus.DS_Startup:
      case DeviceStatus.DS_ServiceMode:
        return SCdevicestate.Busy;
      case DeviceStatus.DS_RecoverableError:
      case DeviceStatus.DS_FatalError:
        return SCdevicestate.Error;
      default:
        return SCdevicestate.Ready;
    }
  }
}
