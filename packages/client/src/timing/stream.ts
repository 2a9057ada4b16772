import { LossCount, type Step } from '../frames/loss-count.js';
import { Envelope, type Jump } from './envelope.js';
import type { ComputerLateness } from './lateness.js';
import { LossRuns } from './losses.js';
import { type EndedScan, Scans } from './scans.js';
import { clockOf, type StampClock, type Stamped, type StreamKind } from './stamped.js';
import { Bounded, Samples } from './statistics.js';

/** Samples that are kept of each stretch. */
const mostSamples = 4096;
/** Least silence that is told (ms), and in scans of the stream. */
const leastSilence = 1000;
const silentScans = 5;
/** Largest difference of IMU stamps that are in another order (ms). */
const furthestOrder = 1000;

/** A telegram that came in order, in ms. */
export interface Sample {
  readonly time: number;
  /** Arrival − sent. */
  readonly delay: number;
  /** From its last beam until it was sent. */
  readonly age: number;
}

/** A stretch in which all stamps count from the same moment: uptime since a boot, or UTC. */
export interface Stretch {
  readonly clock: StampClock;
  readonly begin: number;
  end: number;
  readonly envelope: Envelope;
  readonly samples: Samples<Sample>;
  readonly scans: Samples<EndedScan>;
}

/** A time without telegrams. */
export interface Silence {
  readonly at: number;
  readonly ms: number;
  /** Number of telegrams that are missing then, by their numbers. */
  readonly lost: number;
}

/** The numbers of a stream began again. */
export interface Restart {
  readonly at: number;
  /** ms in which nothing came before. */
  readonly silent: number;
}

/** The stamps of a stream began to count from another moment. */
export interface ClockChange {
  readonly at: number;
  readonly from: StampClock;
  readonly to: StampClock;
  /** True if the numbers of the stream began again with it, or before it. */
  readonly afterRestart: boolean;
}

interface Origin {
  readonly host: string;
  /** The local port. */
  readonly port: string;
  readonly lateness: ComputerLateness;
}

/** One stream of a scanner, telegram by telegram. */
export class Stream {
  readonly kind: StreamKind;
  readonly host: string;
  /** The local port; empty if it is not known. */
  readonly port: string;
  readonly sender: number | undefined;
  telegrams = 0;
  late = 0;
  repeated = 0;
  firstLate: number | undefined;
  firstRepeated: number | undefined;
  readonly scans: Scans;
  readonly losses: LossRuns;
  readonly silences = new Bounded<Silence>();
  readonly restarts = new Bounded<Restart>();
  readonly changes = new Bounded<ClockChange>();
  /** Times that telegrams of another port of the same host came between. */
  returns = 0;
  readonly formats = new Set<string>();
  readonly #count = new LossCount();
  readonly #ports: string[] = [];
  #first = 0;
  #lowest = 0;
  #newest = 0;
  #newestStamp = Number.NEGATIVE_INFINITY;
  #longest: Stretch | undefined;
  #stretch: Stretch | undefined;

  constructor({ kind, sender }: Stamped, { host, port, lateness }: Origin) {
    this.kind = kind;
    this.host = host;
    this.port = port;
    this.sender = sender;
    this.scans = new Scans(lateness);
    this.losses = new LossRuns(lateness);
  }

  /** Arrival of its first and of its newest telegram. */
  get from(): number {
    return this.#first;
  }

  get to(): number {
    return this.#newest;
  }

  /** The stretch that is under way, and the longest one before it. */
  get stretches(): readonly Stretch[] {
    return [this.#longest, this.#stretch].filter((stretch) => stretch !== undefined);
  }

  /** What its newest stamps count from. */
  get clock(): StampClock {
    return this.#stretch?.clock ?? 'unknown';
  }

  get steps(): Bounded<Jump> {
    return this.scans.clock.steps;
  }

  /** Longest usual pause between two telegrams in ms. */
  get longestPause(): number {
    return Math.max(leastSilence, silentScans * (this.scans.clock.interval ?? 0));
  }

  push(stamped: Stamped, step: Step, sequence: number, arrival: number, port: string): void {
    if (this.telegrams === 0) this.#first = arrival;
    this.telegrams += 1;
    this.formats.add(stamped.format);
    this.#followPort(port);
    this.#countOrder(step, sequence, arrival);
    this.losses.follow(step, sequence, arrival, this.scans.segments);
    const silent = this.telegrams === 1 ? 0 : arrival - this.#newest;
    if (step.kind === 'restart') this.restarts.add({ at: arrival, silent });
    else if (silent > this.longestPause) {
      this.silences.add({ at: this.#newest, ms: silent, lost: step.kind === 'next' ? step.lost : 0 });
    }
    this.#newest = Math.max(this.#newest, arrival);
    if (step.kind === 'repeated') return;
    const isLate = step.kind === 'late';
    if (!isLate) this.#followClock(stamped, step.kind === 'restart', arrival);
    this.#measure(stamped, isLate, arrival);
  }

  /** Returns where a telegram belongs in the order of the stream. */
  stepOf(stamped: Stamped, follow: (count: LossCount) => Step): Step {
    if (stamped.kind !== 'imu') return follow(this.#count);
    // IMU telegrams have no numbers.
    const ahead = stamped.sent - this.#newestStamp;
    if (ahead === 0) return { kind: 'repeated' };
    if (ahead < 0 && ahead > -furthestOrder) return { kind: 'late', counted: true };
    this.#newestStamp = stamped.sent;
    return { kind: 'next', lost: 0 };
  }

  /** A port that is back after another one belongs to a second sender: a scanner that boots takes a new one for good. */
  #followPort(port: string): void {
    if (this.#ports.at(-1) === port) return;
    const known = this.#ports.indexOf(port);
    if (known >= 0) {
      this.returns += 1;
      this.#ports.splice(known, 1);
    }
    this.#ports.push(port);
    if (this.#ports.length > 4) this.#ports.shift();
  }

  #countOrder(step: Step, sequence: number, arrival: number): void {
    if (step.kind === 'restart' || this.telegrams === 1) this.#lowest = sequence;
    // Those before the first one that came are late, too: nobody has missed them.
    const isMissed = step.kind === 'late' && (step.counted || sequence < this.#lowest);
    this.#lowest = Math.min(this.#lowest, sequence);
    if (isMissed) {
      this.late += 1;
      this.firstLate ??= arrival;
    } else if (step.kind === 'repeated' || step.kind === 'late') {
      this.repeated += 1;
      this.firstRepeated ??= arrival;
    }
  }

  #followClock(stamped: Stamped, isRestart: boolean, arrival: number): void {
    const clock = clockOf(stamped.last);
    const before = this.#stretch;
    if (before !== undefined && before.clock === clock && !isRestart) return;
    if (before !== undefined && before.clock !== clock) {
      const afterRestart = this.restarts.count > 0;
      this.changes.add({ at: arrival, from: before.clock, to: clock, afterRestart });
    }
    if (before !== undefined && lengthOf(before) > lengthOf(this.#longest)) this.#longest = before;
    this.scans.beginAgain();
    this.#stretch = {
      clock,
      begin: arrival,
      end: arrival,
      envelope: new Envelope(),
      samples: new Samples(mostSamples),
      scans: new Samples(mostSamples),
    };
  }

  #measure(stamped: Stamped, isLate: boolean, arrival: number): void {
    const stretch = this.#stretch;
    if (stretch === undefined) return;
    stretch.end = arrival;
    if (!isLate) {
      const delay = arrival - stamped.sent;
      stretch.envelope.add(arrival, delay);
      stretch.samples.add({ time: arrival, delay, age: stamped.sent - stamped.last });
    }
    if (this.kind !== 'scan') return;
    const ended = this.scans.add(stamped, arrival, isLate);
    if (ended !== undefined) stretch.scans.add(ended);
  }
}

function lengthOf(stretch: Stretch | undefined): number {
  return stretch === undefined ? -1 : stretch.end - stretch.begin;
}
