import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** What becomes of a scanner whose network settings were just put into force. */
export type MoveState =
  /** It still answers at the present address, or it does not yet at the new one. */
  | { readonly kind: 'leaving'; readonly to: string | undefined; readonly since: number }
  /** It does not answer here any more. From this page nobody can see whether it answers at the new address. */
  | { readonly kind: 'left'; readonly to: string | undefined; readonly since: number }
  /** It answers at the new address, and these pages reach it there. */
  | { readonly kind: 'arrived'; readonly to: string }
  /** It goes on answering at the present address. */
  | { readonly kind: 'stayed'; readonly to: string | undefined }
  /** It answers at neither address. */
  | { readonly kind: 'lost'; readonly to: string | undefined };

interface Ways {
  /** Does the scanner answer at the present address? */
  readonly answersHere: () => Promise<boolean>;
  /** Reaches for the scanner at its new address. Absent if these pages cannot: the browser keeps them to one address. */
  readonly arrivesAt?: ((url: string) => Promise<boolean>) | undefined;
  readonly pause: (ms: number) => Promise<void>;
  /** ms, monotonic */
  readonly now: () => number;
}

/** ms between two looks. */
const lookEvery = 1000;
/** ms after which a scanner counts as lost. */
const patience = 120_000;

/** Follows a scanner to a new address. There is one move at a time. */
export class AddressMove {
  readonly #state: Signal<MoveState | undefined> = signal(undefined);
  readonly #ways: Ways;
  #run = 0;

  constructor(ways: Ways) {
    this.#ways = ways;
  }

  /** undefined if the address was not changed here, or the person has seen what became of it. */
  get state(): ReadonlySignal<MoveState | undefined> {
    return this.#state;
  }

  /** These pages were opened at the new address, because the scanner has gone there. */
  arrived(to: string): void {
    this.#run++;
    this.#state.value = { kind: 'arrived', to };
  }

  forget(): void {
    this.#run++;
    this.#state.value = undefined;
  }

  /**
   * The scanner was told to use another address. Resolves when it is clear what became of it.
   * @param to the new address as a URL; undefined if a DHCP server will choose it
   * @param leavesWithin ms within which the scanner leaves its present address, if it does
   */
  async follow(to: string | undefined, leavesWithin: number): Promise<void> {
    this.#run++;
    const run = this.#run;
    const { answersHere, arrivesAt, now, pause } = this.#ways;
    const since = now();
    let hasLeft = false;
    this.#state.value = { kind: 'leaving', to, since };
    for (;;) {
      await pause(lookEvery);
      const isThere = to !== undefined && arrivesAt !== undefined && (await arrivesAt(to));
      const isHere = !isThere && (await answersHere());
      if (run !== this.#run) return;
      if (isThere) {
        this.#state.value = { kind: 'arrived', to };
        return;
      }
      if (isHere && (hasLeft || now() - since >= leavesWithin)) {
        this.#state.value = { kind: 'stayed', to };
        return;
      }
      if (!isHere && !hasLeft) {
        hasLeft = true;
        this.#state.value = { kind: 'left', to, since };
      }
      if (now() - since >= patience) {
        this.#state.value = { kind: 'lost', to };
        return;
      }
    }
  }
}
