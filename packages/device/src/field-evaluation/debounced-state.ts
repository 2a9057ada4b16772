import { FieldState } from '@azimuth/model';

export type FieldStateNumber = (typeof FieldState)[keyof typeof FieldState];

/** How long a field has to be seen infringed, or free, before it is: ms. */
interface Times {
  readonly infringed: number;
  readonly free: number;
}

/** ms: what is due within half a microsecond is due. The last bits of a clock must not book a timer. */
const nothing = 0.0005;

/**
 * The state of an active field. What a scan shows holds until the next scan shows something else; where it has held for
 * the time that the field asks for, the state follows at that moment, between two scans as well. Moments are ms of the
 * monotonic clock.
 */
export class DebouncedState {
  readonly #times: Times;
  #state: FieldStateNumber = FieldState.FREE;
  #due = Number.POSITIVE_INFINITY;

  constructor(times: Times) {
    this.#times = times;
  }

  get state(): FieldStateNumber {
    return this.#state;
  }

  /** When the field is infringed, or free, unless a scan shows something else; Infinity where there is nothing to wait for. */
  get due(): number {
    return this.#due;
  }

  /** Takes what a scan shows. True where the state is another one now. */
  see(infringed: boolean, now: number): boolean {
    switch (this.#state) {
      case FieldState.FREE:
        return infringed && this.#become(FieldState.DETECTING_INFRINGED, now + this.#times.infringed);
      case FieldState.INFRINGED:
        return !infringed && this.#become(FieldState.DETECTING_FREE, now + this.#times.free);
      case FieldState.DETECTING_INFRINGED:
        return !infringed && this.#become(FieldState.FREE);
      default:
        return infringed && this.#become(FieldState.INFRINGED);
    }
  }

  /** To be called when `due` has come. True where it has: the field is infringed, or free. */
  settle(now: number): boolean {
    if (this.#due - now > nothing) return false;
    return this.#become(
      this.#state === FieldState.DETECTING_INFRINGED ? FieldState.INFRINGED : FieldState.FREE,
    );
  }

  #become(state: FieldStateNumber, due = Number.POSITIVE_INFINITY): true {
    this.#state = state;
    this.#due = due;
    return true;
  }
}
