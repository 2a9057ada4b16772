import { array, isObject, type JsonObject, number, object, string } from '@azimuth/test-support/json';
import { until } from '@azimuth/test-support/waiting';
import { type CyclonePorts, DdsProcess } from './dds-process.js';

export const vendors = ['cyclonedds', 'fastdds'] as const;
export type Vendor = (typeof vendors)[number];

export interface ReaderSettings {
  readonly topic: string;
  /** Without package and suffix, for example LaserScan. */
  readonly type: string;
  readonly reliability?: 'reliable' | 'best-effort';
  readonly durability?: 'volatile' | 'transient-local';
  /** Without commas. Default: none. */
  readonly userData?: string;
}

export interface SubscriberOptions {
  readonly ports?: CyclonePorts;
  /** Does it read messages as ROS 2 Humble has them? Default: as later releases. */
  readonly isHumble?: boolean;
}

export interface Sample {
  /** GUID of the writer, in hexadecimal digits. */
  readonly writer: string | undefined;
  /** µs since 1970, when the writer sent it. */
  readonly sent: number;
  /** The number that the writer gave it; undefined if the vendor does not tell. */
  readonly sequence: number | undefined;
  /** Time in the header, ns. 0 for messages without a header. */
  readonly stamp: bigint;
  /** What the message says, with the names of the programs. */
  readonly content: JsonObject;
}

export interface Endpoint {
  readonly guid: string;
  readonly topic: string;
  readonly type: string;
  readonly reliability: string;
  readonly durability: string;
  readonly userData: string | undefined;
}

export interface RemoteParticipant {
  readonly guid: string;
  readonly userData: string | undefined;
}

/** A program of a vendor that reads topics, in a process of its own. */
export class Subscriber {
  readonly #process: DdsProcess;
  readonly #samples: Sample[][];
  readonly #writers = new Map<string, Endpoint>();
  readonly #participants = new Map<string, RemoteParticipant>();
  readonly #matched: number[];
  readonly #lost: number[];
  readonly #holes: number[];
  guid = '';

  private constructor(
    readonly vendor: Vendor,
    domain: number,
    readonly readers: readonly ReaderSettings[],
    { ports = 'any', isHumble = false }: SubscriberOptions,
  ) {
    this.#samples = readers.map(() => []);
    this.#matched = readers.map(() => 0);
    this.#lost = readers.map(() => 0);
    this.#holes = readers.map(() => 0);
    const stated = readers.map(
      ({ topic, type, reliability = 'reliable', durability = 'volatile', userData = '' }) =>
        [topic, type, reliability, durability, userData].join(),
    );
    const program = `${vendor}-subscriber${isHumble ? '-humble' : ''}` as const;
    this.#process = new DdsProcess(program, [domain, ...stated], {
      onEvent: (event) => this.#take(event),
      ports,
    });
  }

  /** Starts a program and waits until its readers exist. Each reader has the number of its place in `readers`. */
  static async start(
    vendor: Vendor,
    domain: number,
    readers: readonly ReaderSettings[] = [],
    options: SubscriberOptions = {},
  ): Promise<Subscriber> {
    const subscriber = new Subscriber(vendor, domain, readers, options);
    await subscriber.until(() => subscriber.guid !== '');
    return subscriber;
  }

  get events(): readonly JsonObject[] {
    return this.#process.events;
  }

  /** Everything that a reader has received. */
  samples(reader = 0): readonly Sample[] {
    return this.#samples[reader] ?? [];
  }

  /** How many writers a reader has now. */
  writersOf(reader = 0): number {
    return this.#matched[reader] ?? 0;
  }

  /** How many samples the vendor's library reports as lost. */
  lost(reader = 0): number {
    return this.#lost[reader] ?? 0;
  }

  /** How many samples came without content and number: Fast DDS gave up the real ones. */
  holes(reader = 0): number {
    return this.#holes[reader] ?? 0;
  }

  /** The writers that other participants have, and have not withdrawn. */
  get writers(): readonly Endpoint[] {
    return [...this.#writers.values()];
  }

  /** The other participants that are there. */
  get participants(): readonly RemoteParticipant[] {
    return [...this.#participants.values()].filter(({ guid }) => guid !== this.guid);
  }

  /** Waits for an event. Throws at once if the program has ended. */
  until(question: () => boolean, limit?: number): Promise<void> {
    return until(() => {
      this.#process.check();
      return question();
    }, limit);
  }

  /** Waits until a reader has received this many samples more. Returns these. */
  async next(count: number, reader = 0): Promise<readonly Sample[]> {
    const before = this.samples(reader).length;
    await this.until(() => this.samples(reader).length >= before + count);
    return this.samples(reader).slice(before);
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }

  kill(): Promise<void> {
    return this.#process.kill();
  }

  freeze(): void {
    this.#process.freeze();
  }

  thaw(): void {
    this.#process.thaw();
  }

  #take(event: JsonObject): void {
    switch (event.event) {
      case 'ready':
        this.guid = string(event.guid);
        break;
      case 'sample':
        this.#samples[number(event.reader)]?.push(sampleOf(event));
        break;
      case 'matched':
        this.#matched[number(event.reader)] = number(event.writers);
        break;
      case 'lost':
        this.#lost[number(event.reader)] = number(event.total);
        break;
      case 'hole':
        this.#holes[number(event.reader)] = this.holes(number(event.reader)) + 1;
        break;
      case 'writer':
        follow(this.#writers, event, endpointOf);
        break;
      case 'participant':
        follow(this.#participants, event, participantOf);
        break;
    }
  }
}

function follow<T>(known: Map<string, T>, event: JsonObject, read: (event: JsonObject) => T): void {
  const guid = string(event.guid);
  if (event.state === 'alive') known.set(guid, read(event));
  else known.delete(guid);
}

function participantOf({ guid, userData }: JsonObject): RemoteParticipant {
  return { guid: string(guid), userData: optional(userData) };
}

function endpointOf(event: JsonObject): Endpoint {
  const { guid, topic, type, reliability, durability, userData } = event;
  return {
    ...{ guid: string(guid), topic: string(topic), type: string(type) },
    ...{ reliability: string(reliability), durability: string(durability) },
    userData: optional(userData),
  };
}

const optional = (value: unknown) => (value === undefined ? undefined : string(value));

function sampleOf(event: JsonObject): Sample {
  const { event: _, reader: __, topic: ___, writer, sent, sequence, stamp, ...content } = event;
  return {
    // CycloneDDS cannot name it any more if the writer is gone when the sample is read.
    writer: optional(writer),
    sent: number(sent),
    sequence: sequence === undefined ? undefined : number(sequence),
    stamp: stamp === undefined ? 0n : stampOf(stamp),
    content,
  };
}

/** Seconds and nanoseconds. */
export function stampOf(stamp: unknown): bigint {
  const [seconds, nanoseconds] = array(stamp).map(number);
  return BigInt(seconds ?? 0) * 1_000_000_000n + BigInt(nanoseconds ?? 0);
}

/** A list of numbers in which an infinite one is a text. */
export function numbers(list: unknown): readonly number[] {
  return array(list).map((item) => {
    if (item === 'inf') return Number.POSITIVE_INFINITY;
    if (item === '-inf') return Number.NEGATIVE_INFINITY;
    if (item === 'nan') return Number.NaN;
    return number(item);
  });
}

/** A list of such lists. */
export const numberLists = (list: unknown) => array(list).map(numbers);

/** The sample of those that its program printed with its content. */
export function isComplete({ content }: Sample): boolean {
  return 'ranges' in content || 'data' in content;
}

/** A member that is itself an object. */
export const members = (value: unknown): readonly JsonObject[] => array(value).filter(isObject).map(object);
