import type { FaultKind } from '@azimuth/model/faults';
import type { WireFaults } from '@azimuth/simulation/faults';
import { timeNow } from '../timeline/clock.js';
import type { Timeline } from '../timeline/timeline.js';
import { mostUnseenBytes, telegramOverhead } from './limits.js';
import type { Outgoing } from './outgoing.js';
import { StreamFaults } from './stream-faults.js';
import { TelegramWatch, type WatchedLosses } from './telegram-watch.js';

/** Something that was passed on, and is looked at afterwards. */
interface Passed {
  readonly bytes: Uint8Array;
  readonly from: string;
  readonly to: string;
  /** µs since 1970. */
  readonly at: number;
  /** Planned faults that were put on it. */
  readonly faults: readonly FaultKind[];
}

interface StreamRelayOptions {
  readonly timeline: Timeline;
  readonly outgoing: readonly Outgoing[];
  /** Faults to put on what passes. */
  readonly faults?: WireFaults | undefined;
  /** Gets errors of followers of the timeline. */
  readonly failed: (error: unknown) => void;
}

/** What has come from the scanner so far. */
export interface StreamFigures {
  readonly telegrams: number;
  readonly bytes: number;
  /** Number of telegrams that were passed on and not looked at, because too many waited for it. */
  readonly unseen: number;
  readonly losses: WatchedLosses;
}

const noFaults: readonly FaultKind[] = [];

/**
 * Passes on everything that comes, to all destinations, unchanged, and in the turn of the event loop in which it came.
 * Afterwards it is decoded, checked and put on the timeline.
 */
export class StreamRelay {
  readonly #options: StreamRelayOptions;
  readonly #watch: TelegramWatch;
  readonly #faults: StreamFaults | undefined;
  #telegrams = 0;
  #bytes = 0;
  #unseen = 0;
  #passed: Passed[] = [];
  #passedBytes = 0;
  #looking: NodeJS.Immediate | undefined;

  constructor(options: StreamRelayOptions) {
    this.#options = options;
    const { timeline, faults } = options;
    this.#watch = new TelegramWatch(timeline);
    this.#faults = faults && new StreamFaults(faults, this.#send);
  }

  /** Names other scanners that send here, too, from now on. @param serialNumber of the scanner, if it is known */
  expect(serialNumber: string | undefined): void {
    this.#watch.expect(serialNumber);
  }

  /** Says that bytes of a connection belonged to no telegram, and were not passed on. */
  foreign(bytes: number, from: string): void {
    this.#contain(() => this.#watch.foreign(bytes, { from, at: timeNow() }));
  }

  get figures(): StreamFigures {
    return {
      telegrams: this.#telegrams,
      bytes: this.#bytes,
      unseen: this.#unseen,
      losses: this.#watch.losses,
    };
  }

  /** Passes on what has come. The bytes must not be changed afterwards. */
  readonly arrived = (bytes: Uint8Array, from: string, to: string): void => {
    const at = timeNow();
    if (this.#options.outgoing.some(({ sender }) => sender === from)) {
      this.#refuseOwn(at, from, to);
      return;
    }
    const faults = this.#faults?.send(bytes) ?? noFaults;
    if (this.#faults === undefined) this.#send(bytes);
    this.#telegrams += 1;
    this.#bytes += bytes.length;
    const size = bytes.length + telegramOverhead;
    if (this.#passedBytes + size > mostUnseenBytes) {
      this.#unseen += 1;
      return;
    }
    this.#passed.push({ bytes, from, to, at, faults });
    this.#passedBytes += size;
    this.#looking ??= setImmediate(this.#look);
  };

  /** A destination is the port at which this relay receives. What it has sent would go round for ever. */
  #refuseOwn(at: number, from: string, to: string): void {
    const [expected, came] = [
      'another sender than this relay',
      'its own telegram: a destination is this port',
    ];
    const finding = { kind: 'finding', at, of: `datagram to ${to}`, where: from, expected, came } as const;
    this.#contain(() => this.#options.timeline.add(finding));
  }

  /** Looks at everything that was passed on, and drops what planned faults hold back. */
  close(): void {
    this.#faults?.close();
    clearImmediate(this.#looking);
    for (const one of this.#passed) this.#see(one);
    this.#passed = [];
  }

  readonly #send = (telegram: Uint8Array): void => {
    for (const outgoing of this.#options.outgoing) outgoing.send(telegram);
  };

  /** Looks at one telegram, so that those that have come meanwhile are passed on before the next one. */
  readonly #look = (): void => {
    const one = this.#passed.shift();
    if (one !== undefined) {
      this.#passedBytes -= one.bytes.length + telegramOverhead;
      this.#see(one);
    }
    this.#looking = this.#passed.length > 0 ? setImmediate(this.#look) : undefined;
  };

  #see(passed: Passed): void {
    this.#contain(() => this.#watch.see(passed));
  }

  /** An error of a follower of the timeline must not keep telegrams from being passed on. */
  #contain(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#options.failed(error);
    }
  }
}
