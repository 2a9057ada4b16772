import { type Clock, SystemClock } from '@azimuth/device';
import type { FaultKind } from '@azimuth/model/faults';
import { FaultyTelegrams } from '@azimuth/server/faulty-telegrams';
import type { WireFaults } from '@azimuth/simulation/faults';
import { streamOf } from '@azimuth/telegrams';
import type { StreamName } from '../timeline/timeline-entry.js';

/** Part of a route of a scanner. Nobody counts here what a fault holds back: too much of it is lost. */
interface Route {
  readonly sending: { failed(): void };
  buffer(bytes: number): Uint8Array;
  send(telegram: Uint8Array): void;
}

/**
 * Puts planned faults on telegrams that pass: they are lost, late, repeated, in another order or damaged. The stream of a
 * telegram is read in its first bytes; what is no telegram counts as scan data.
 */
export class StreamFaults {
  readonly #faults: WireFaults;
  readonly #route: Route;
  readonly #streams: Readonly<Record<StreamName, FaultyTelegrams>>;

  /** @param send sends a telegram to all destinations */
  constructor(faults: WireFaults, send: (telegram: Uint8Array) => void, clock: Clock = new SystemClock()) {
    this.#faults = faults;
    const route: Route = {
      sending: { failed: () => undefined },
      buffer: (bytes) => new Uint8Array(bytes),
      send,
    };
    this.#route = route;
    const faulty = () => new FaultyTelegrams(clock, () => route);
    this.#streams = { scan: faulty(), imu: faulty(), encoder: faulty() };
  }

  /** Drops what waits. */
  close(): void {
    for (const telegrams of Object.values(this.#streams)) telegrams.close();
  }

  /**
   * Sends a telegram with the faults that happen to it. Its bytes are not changed: damage is done to a copy.
   * @returns the kinds of fault that happen
   */
  send(telegram: Uint8Array): readonly FaultKind[] {
    if (this.#faults.link.down !== undefined) return ['link-down'];
    const stream = streamOf(telegram) ?? 'scan';
    const { result: fault, kinds } = this.#faults.asked(() => this.#faults.streams?.of(stream));
    if (fault !== undefined && fault.fate !== 'sent') return kinds;
    const bytes = fault?.damage === undefined ? telegram : Uint8Array.from(telegram);
    this.#streams[stream].send(bytes, fault, this.#route);
    return kinds;
  }
}
