import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** A time without the scanner that was requested on this page: a reboot, or a new address. */
type Absence =
  /** @property reason the act of the scanner: `reboots` */
  | { readonly kind: 'leaving' | 'away'; readonly reason: string; readonly since: number }
  /** @property seconds how long it was away */
  | { readonly kind: 'back'; readonly reason: string; readonly seconds: number };

/** ms for which the page shows that the scanner is back. */
const shownFor = 10_000;
/** ms after which a scanner that never went away counts as back: its absence was too short to be seen. */
const leaveTimeout = 15_000;

/** Follows the absences of a scanner that this page has caused. */
export class Absences {
  readonly #current: Signal<Absence | undefined> = signal(undefined);
  readonly current: ReadonlySignal<Absence | undefined> = this.#current;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param isUnreachable true if the scanner does not answer now */
  constructor(isUnreachable: () => boolean) {
    effect(() => {
      const unreachable = isUnreachable();
      const absence = this.#current.peek();
      if (absence === undefined || absence.kind === 'back') return;
      if (unreachable) this.#set({ ...absence, kind: 'away' });
      else if (absence.kind === 'away') this.#back();
    });
  }

  /** Called when a command will take the scanner away for a while. */
  expect(reason: string): void {
    this.#set({ kind: 'leaving', reason, since: performance.now() });
    this.#timer = setTimeout(() => {
      if (this.#current.peek()?.kind === 'leaving') this.#back();
    }, leaveTimeout);
  }

  /** Stops waiting for the scanner. */
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

/** State of a scanner whose network settings were just put into force. */
export type MoveState =
  /** The scanner still answers at the present address, or not yet at the new one. */
  | { readonly kind: 'leaving'; readonly to: string | undefined; readonly since: number }
  /** The scanner no longer answers here. This page cannot see whether it answers at the new address. */
  | { readonly kind: 'left'; readonly to: string | undefined; readonly since: number }
  /** The scanner answers at the new address, and these pages reach it there. */
  | { readonly kind: 'arrived'; readonly to: string }
  /** The scanner still answers at the present address. */
  | { readonly kind: 'stayed'; readonly to: string | undefined }
  /** The scanner answers at neither address. */
  | { readonly kind: 'lost'; readonly to: string | undefined };

interface MoveDependencies {
  /** True if the scanner answers at the present address. */
  readonly respondsHere: () => Promise<boolean>;
  /**
   * True if the scanner answers at its new address. Absent if these pages cannot check it: the browser keeps them to
   * one address.
   */
  readonly respondsAt?: ((url: string) => Promise<boolean>) | undefined;
  readonly pause: (ms: number) => Promise<void>;
  /** ms, monotonic */
  readonly now: () => number;
}

/** ms between two checks. */
const checkInterval = 1000;
/** ms after which a scanner counts as lost. */
const patience = 120_000;

/** Follows a scanner to a new address. There is one move at a time. */
export class AddressMove {
  readonly #state: Signal<MoveState | undefined> = signal(undefined);
  /** Undefined if the address was not changed here, or if the person has seen the result. */
  readonly state: ReadonlySignal<MoveState | undefined> = this.#state;
  readonly #dependencies: MoveDependencies;
  #run = 0;

  constructor(dependencies: MoveDependencies) {
    this.#dependencies = dependencies;
  }

  /** Called when these pages were opened at the new address, because the scanner has moved there. */
  arrived(to: string): void {
    this.#run++;
    this.#state.value = { kind: 'arrived', to };
  }

  forget(): void {
    this.#run++;
    this.#state.value = undefined;
  }

  /**
   * Follows the scanner after a command to use another address. Resolves when the result is clear.
   * @param to the new address as a URL; undefined if a DHCP server will choose it
   * @param leaveTimeout ms within which the scanner leaves its present address, if it does
   */
  async follow(to: string | undefined, leaveTimeout: number): Promise<void> {
    this.#run++;
    const run = this.#run;
    const { respondsHere, respondsAt, now, pause } = this.#dependencies;
    const since = now();
    let hasLeft = false;
    this.#state.value = { kind: 'leaving', to, since };
    for (;;) {
      await pause(checkInterval);
      const isThere = to !== undefined && respondsAt !== undefined && (await respondsAt(to));
      const isHere = !isThere && (await respondsHere());
      if (run !== this.#run) return;
      if (isThere) {
        this.#state.value = { kind: 'arrived', to };
        return;
      }
      if (isHere && (hasLeft || now() - since >= leaveTimeout)) {
        this.#state.value = { kind: 'stayed', to };
        return;
      }
      if (!isHere && !hasLeft) {
        hasLeft = true;
        this.#state.value = { kind: 'left', to, since };
      }
      if (now() - since >= patience) {
        // Who cannot look at the new address does not know whether the scanner is there: it has left, and no more.
        if (respondsAt !== undefined) this.#state.value = { kind: 'lost', to };
        return;
      }
    }
  }
}
