import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { DataState, Gateway } from '../connection/gateway.js';
import { pause } from '../parts/pause.js';
import { WhileOpen } from '../parts/while-open.js';

/** ms between two looks: each one asks the scanner for its settings. */
const lookEvery = 4000;

/** Whether the scan data of a scanner arrives at the local server of `azimuth gui`, and what changes that. */
export class Arrival {
  readonly #gateway: Gateway;
  readonly #state: Signal<DataState | undefined> = signal(undefined);
  readonly #following = new WhileOpen((aborted) => this.#follow(aborted));

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
  }

  /** undefined until it is known. It keeps its value while the scanner or the local server is gone. */
  get state(): ReadonlySignal<DataState | undefined> {
    return this.#state;
  }

  open(): void {
    this.#following.open();
  }

  close(): void {
    this.#following.close();
  }

  /**
   * Makes the scanner send its scan data to this computer.
   * @throws Error with what went wrong, for a person
   */
  async aim(login: { readonly user: string; readonly password: string }): Promise<void> {
    this.#state.value = await this.#gateway.aim(login);
  }

  /** @throws Error with what went wrong, for a person */
  async restore(): Promise<void> {
    this.#state.value = await this.#gateway.restore();
  }

  async #follow(aborted: AbortSignal): Promise<void> {
    while (!aborted.aborted) {
      try {
        const state = await this.#gateway.look();
        if (!aborted.aborted) this.#state.value = state;
        // A scanner with live scans of its own has no use for the rest.
        if (state.state === 'live') return;
      } catch {
        // It is gone: the page says so elsewhere.
      }
      await pause(lookEvery, aborted);
    }
  }
}
