import type { Conditions } from '../lifecycle/conditions.js';

/** `stopped`: nothing is measured. `standby`: laser and motor are off, too. */
export type MeasuringState = 'measuring' | 'stopped' | 'standby';

const suspended = 'DS_SuspendedOperation';
/** Conditions that stop measuring. */
const blocking = ['DS_Startup', 'DS_ServiceMode', suspended, 'DS_FatalError'] as const;

/** True if these conditions stop a scanner from measuring. */
export function isAtRest(conditions: Conditions): boolean {
  return blocking.some((condition) => conditions.holds(condition));
}

/** The state of measuring: the requested state, and the conditions that block it. DeviceStatus shows it. */
export class MeasuringSwitch {
  readonly #conditions: Conditions;
  #state: MeasuringState = 'stopped';
  #down = true;

  constructor(conditions: Conditions) {
    this.#conditions = conditions;
  }

  get state(): MeasuringState {
    return this.#state;
  }

  /** True if the scanner measures now. */
  get on(): boolean {
    return !this.#down && !isAtRest(this.#conditions);
  }

  /** Requests a state. Returns false if the device does not permit it: at start-up and while firmware is written. */
  request(state: MeasuringState): boolean {
    if (this.#down || this.#conditions.holds('DS_Startup') || this.#conditions.holds('DS_ServiceMode'))
      return false;
    // In standby, measuring has stopped already.
    if (!(state === 'stopped' && this.#state === 'standby')) this.#set(state);
    return true;
  }

  boot(state: MeasuringState): void {
    this.#down = false;
    this.#set(state);
  }

  down(): void {
    this.#down = true;
  }

  #set(state: MeasuringState): void {
    this.#state = state;
    this.#conditions.set(suspended, 'measuring is off', state !== 'measuring');
  }
}
