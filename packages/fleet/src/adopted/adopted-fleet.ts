import type { Log } from '@azimuth/device';
import type { FleetEvents } from '../events/fleet-events.js';
import type { RealState } from '../events/real-states.js';
import { type Adoption, restTimes } from './adopted-client.js';
import { AdoptedScanner, type AdoptedShared } from './adopted-scanner.js';
import { AllowedAddresses } from './allowed-addresses.js';
import type { RealScannerFacts } from './real-facts.js';
import { Turns } from './turns.js';

interface Options {
  readonly adoption?: Adoption | undefined;
  readonly log: Log;
  readonly gui?: string | undefined;
  readonly owns?: ((serial: string) => boolean) | undefined;
}

/** The real scanners of a fleet. */
export class AdoptedFleet {
  readonly #shared: AdoptedShared | undefined;
  readonly #scanners = new Map<string, AdoptedScanner>();

  constructor({ adoption, log, gui, owns }: Options, events: Pick<FleetEvents, 'publishOf'>) {
    this.#shared = adoption && {
      ...{ adoption, log, gui, owns },
      addresses: new AllowedAddresses(adoption.ownPorts),
      turns: new Turns(adoption.times?.registrations ?? restTimes.registrations),
      publish: (facts, content) => events.publishOf(facts, content),
    };
  }

  get scanners(): Iterable<AdoptedScanner> {
    return this.#scanners.values();
  }

  get size(): number {
    return this.#scanners.size;
  }

  /** Numbers of scanners by state. States without a scanner are missing. */
  get states(): Readonly<Partial<Record<RealState, number>>> {
    const counts: Partial<Record<RealState, number>> = {};
    for (const { state } of this.#scanners.values()) counts[state] = (counts[state] ?? 0) + 1;
    return counts;
  }

  /**
   * Adopts a scanner. Nothing is sent to it before `start`.
   * @throws ForbiddenAddress; Error if the fleet has no client for real scanners
   */
  create(facts: RealScannerFacts): AdoptedScanner {
    if (this.#shared === undefined)
      throw new Error(`${facts.serial} is a real scanner, and this program runs virtual ones only`);
    const scanner = new AdoptedScanner(facts, this.#shared);
    this.#scanners.set(facts.serial, scanner);
    return scanner;
  }

  /** Begins to look at all that were created. */
  start(): void {
    for (const scanner of this.#scanners.values()) scanner.start();
  }

  /** Removes scanners. The caller closes them. @returns those that it had */
  leave(serials: readonly string[]): readonly AdoptedScanner[] {
    const leaving = serials.flatMap((serial) => this.#scanners.get(serial) ?? []);
    for (const serial of serials) this.#scanners.delete(serial);
    return leaving;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#scanners.values()].map((scanner) => scanner.close()));
  }
}
