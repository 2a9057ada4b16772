import type { Clock } from '@azimuth/device';
import type { EventPath, Faults } from '@azimuth/device/faults';
import { changesPath, scanPath } from '@azimuth/model';

type Message = string | Uint8Array;

/** Planned faults of the messages of a connection. */
export interface PossibleFaults {
  readonly path: EventPath;
  readonly faults: Pick<Faults, 'events'>;
  readonly clock: Clock;
}

/** Connection that receives the messages. */
interface Receiver {
  transmit(message: Message): void;
  cut(): void;
  reset(): void;
  /** Calls `act` as soon as the system has accepted all messages. */
  onSent(act: () => void): void;
  /** Called when the connection no longer stands still. */
  released(): void;
}

/** Messages to one client of events with their planned faults. */
export class FaultyMessages {
  readonly #plan: PossibleFaults;
  readonly #receiver: Receiver;
  /** Waiting messages, and the function that ends the wait. */
  #waiting: Message[] = [];
  #cancel: (() => void) | undefined;
  #isStalled = false;
  #isDropped = false;

  constructor(plan: PossibleFaults, receiver: Receiver) {
    this.#plan = plan;
    this.#receiver = receiver;
  }

  /** True if the connection stands still. Messages should then wait at their source. */
  get isStalled(): boolean {
    return this.#isStalled;
  }

  send(message: Message): void {
    if (this.#isDropped) return;
    if (this.#isStalled) {
      this.#waiting.push(message);
      return;
    }
    const { faults, path } = this.#plan;
    const fault = faults.events?.of(path);
    switch (fault?.kind) {
      case 'drop':
        this.#isDropped = true;
        this.end();
        // Earlier messages may still be in compression. The connection is lost in place of this message, not of them.
        this.#receiver.onSent(() => {
          if (fault.how === 'reset') this.#receiver.reset();
          else this.#receiver.cut();
        });
        return;
      case 'stall':
        this.#isStalled = true;
        this.#wait(message, fault.milliseconds);
        return;
      case 'behind':
        this.#wait(message, fault.milliseconds);
        return;
      case undefined:
        this.#receiver.transmit(message);
        this.#release();
    }
  }

  /** Drops all messages, because the connection is closed. */
  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#waiting = [];
  }

  #wait(message: Message, milliseconds: number): void {
    this.#waiting.push(message);
    this.#cancel?.();
    this.#cancel = this.#plan.clock.after(milliseconds, () => this.#release());
  }

  /** Sends the messages that have waited. */
  #release(): void {
    if (this.#waiting.length === 0) return;
    const { waiting, isStalled } = { waiting: this.#waiting, isStalled: this.#isStalled };
    this.end();
    this.#isStalled = false;
    for (const message of waiting) this.#receiver.transmit(message);
    if (isStalled) this.#receiver.released();
  }
}

/** Returns the name of a path in plans of faults. */
export function eventPathOf(path: string): EventPath {
  if (path === changesPath) return 'changes';
  return path === scanPath ? 'scan' : 'events';
}
