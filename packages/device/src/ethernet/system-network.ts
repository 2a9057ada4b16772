import { isDeepStrictEqual } from 'node:util';
import { ContainedCall } from '../hardware/contained-call.js';
import type { Containment } from '../hardware/contained-sensor.js';
import type { NetworkHardware, NetworkSettings } from '../interfaces/hardware/index.js';
import type { ActiveSettings } from './active-settings.js';

/** ms in which the system has to put settings into force. */
export const applyLimit = 30_000;

interface Options extends Containment {
  /** The network of the system. Without one, or without `apply`, settings are in force at once. */
  readonly network: NetworkHardware | undefined;
  /** Called when settings are in force in the system. */
  readonly applied: (settings: ActiveSettings) => void;
  /** Called when settings could not be put into force: the old ones stay. */
  readonly failed: (reason: string) => void;
}

/**
 * Puts settings into force in the system, one after the other. While it does, the latest of those that came since are
 * the next. Settings that the system has already are in force without a call.
 */
export class SystemNetwork {
  readonly #options: Options;
  readonly #call: ContainedCall<NetworkSettings>;
  #next: ActiveSettings | undefined;
  /** The settings that the system has. Undefined if nobody knows: before the first call, and after a failure. */
  #taken: NetworkSettings | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(options: Options) {
    const { network } = options;
    this.#options = options;
    this.#call = new ContainedCall(
      options,
      'network.apply',
      (settings) => network?.apply?.(settings),
      () => applyLimit,
    );
  }

  /** Puts these settings into force: at once, unless the system takes its time. */
  apply(settings: ActiveSettings): void {
    this.#next = settings;
    this.#follow();
  }

  /** Fulfilled when the last settings are in force or have failed, or when the system is late. */
  get settled(): Promise<void> {
    if (!this.#call.isPending || this.#call.failure !== '') return Promise.resolve();
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  /** Ends it for good. */
  end(): void {
    this.#call.end();
    this.#settle();
  }

  #follow(): void {
    const active = this.#next;
    if (active === undefined || this.#call.isPending) return;
    this.#next = undefined;
    const settings = active.forSystem;
    if (isDeepStrictEqual(settings, this.#taken)) {
      this.#options.applied(active);
      return;
    }
    this.#call.make(settings, (outcome) => {
      this.#taken = outcome === 'done' ? settings : undefined;
      if (outcome === 'done') this.#options.applied(active);
      else this.#options.failed(this.#call.failure);
      this.#follow();
      if (!this.#call.isPending || outcome === 'late') this.#settle();
    });
  }

  #settle(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
