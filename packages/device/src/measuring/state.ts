import type { Conditions } from '../lifecycle/conditions.js';

/** `stopped`: nothing is measured; `standby`: laser and motor are off, too. */
export type MeasuringState = 'measuring' | 'stopped' | 'standby';

const suspended = 'DS_SuspendedOperation';
/** While one of these holds, nothing is measured. */
const inTheWay = ['DS_Startup', 'DS_ServiceMode', suspended, 'DS_FatalError'] as const;

/** Does a scanner in these conditions measure nothing, however many look? */
export function isAtRest(conditions: Conditions): boolean {
  return inTheWay.some((condition) => conditions.holds(condition));
}

/** Whether the scanner is to measure: what was asked for, and what stands in the way. DeviceStatus tells it. */
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

  /** Does the scanner measure now? */
  get on(): boolean {
    return !this.#down && !isAtRest(this.#conditions);
  }

  /** Asks for another state. False where the state of the device does not permit it: at start-up and while firmware is written. */
  ask(state: MeasuringState): boolean {
    if (this.#down || this.#conditions.holds('DS_Startup') || this.#conditions.holds('DS_ServiceMode'))
      return false;
    // There is nothing left to stop in standby.
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
    this.#conditions.set(suspended, 'measuring', state !== 'measuring');
  }
}
