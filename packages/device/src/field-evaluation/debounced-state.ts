import { FieldState } from '@azimuth/model';
import type { Clock } from '../ports/clock.js';

export type FieldStateNumber = (typeof FieldState)[keyof typeof FieldState];

interface Facts {
  readonly clock: Clock;
  /** How long a field has to be seen infringed, or free, before it is: ms. */
  readonly timeForInfringed: number;
  readonly timeForFree: number;
  /** Called when the time is over and the field is infringed, or free. */
  readonly settled: (state: FieldStateNumber) => void;
}

/**
 * The state of an active field. What a scan shows holds until the next scan shows something else; where it has held for
 * the time that the field asks for, the state follows at that moment, between two scans as well.
 */
export class DebouncedState {
  readonly #facts: Facts;
  #state: FieldStateNumber = FieldState.FREE;
  #cancel: (() => void) | undefined;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  get state(): FieldStateNumber {
    return this.#state;
  }

  /** Takes what a scan shows. True where the state is another one now. */
  see(infringed: boolean): boolean {
    const { timeForInfringed, timeForFree } = this.#facts;
    switch (this.#state) {
      case FieldState.FREE:
        return (
          infringed && this.#detect(FieldState.DETECTING_INFRINGED, FieldState.INFRINGED, timeForInfringed)
        );
      case FieldState.INFRINGED:
        return !infringed && this.#detect(FieldState.DETECTING_FREE, FieldState.FREE, timeForFree);
      case FieldState.DETECTING_INFRINGED:
        return !infringed && this.#fallBack(FieldState.FREE);
      default:
        return infringed && this.#fallBack(FieldState.INFRINGED);
    }
  }

  /** Leaves the state as it is for good. */
  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #detect(meanwhile: FieldStateNumber, then: FieldStateNumber, time: number): true {
    this.#state = meanwhile;
    this.#cancel = this.#facts.clock.after(time, () => {
      this.#cancel = undefined;
      this.#state = then;
      this.#facts.settled(then);
    });
    return true;
  }

  #fallBack(state: FieldStateNumber): true {
    this.end();
    this.#state = state;
    return true;
  }
}
