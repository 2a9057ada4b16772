import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** A time without the scanner that somebody here has asked for: a reboot, or a new address. */
type Absence =
  /** @property reason what the scanner does: `reboots` */
  | { readonly kind: 'leaving' | 'away'; readonly reason: string; readonly since: number }
  /** @property seconds how long it was away */
  | { readonly kind: 'back'; readonly reason: string; readonly seconds: number };

/** ms for which it is shown that the scanner is back. */
const shownFor = 10_000;
/** ms after which a scanner that never went away counts as back: its absence was too short to be seen. */
const leavesWithin = 15_000;

/** Follows the absences of a scanner that this page has caused. */
export class Absences {
  readonly #current: Signal<Absence | undefined> = signal(undefined);
  readonly current: ReadonlySignal<Absence | undefined> = this.#current;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param isGone whether the scanner does not answer now */
  constructor(isGone: () => boolean) {
    effect(() => {
      const gone = isGone();
      const absence = this.#current.peek();
      if (absence === undefined || absence.kind === 'back') return;
      if (gone) this.#set({ ...absence, kind: 'away' });
      else if (absence.kind === 'away') this.#back();
    });
  }

  /** The scanner was asked for something that takes it away for a while. */
  expect(reason: string): void {
    this.#set({ kind: 'leaving', reason, since: performance.now() });
    this.#timer = setTimeout(() => {
      if (this.#current.peek()?.kind === 'leaving') this.#back();
    }, leavesWithin);
  }

  /** It is not waited for any more. */
  forget(): void {
    this.#set(undefined);
  }

  #back(): void {
    const absence = this.#current.peek();
    if (absence === undefined || absence.kind === 'back') return;
    const seconds = Math.round((performance.now() - absence.since) / 1000);
    this.#set({ kind: 'back', reason: absence.reason, seconds });
    this.#timer = setTimeout(() => this.forget(), shownFor);
  }

  #set(absence: Absence | undefined): void {
    clearTimeout(this.#timer);
    this.#current.value = absence;
  }
}

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
  /** undefined if the address was not changed here, or the person has seen what became of it. */
  readonly state: ReadonlySignal<MoveState | undefined> = this.#state;
  readonly #ways: Ways;
  #run = 0;

  constructor(ways: Ways) {
    this.#ways = ways;
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
