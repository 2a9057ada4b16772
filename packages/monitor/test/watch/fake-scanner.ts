import {
  type AnyEvent,
  type EventOptions,
  type Events,
  ScannerError,
  UnreachableError,
} from '@azimuth/client';
import { builtInInterface, dateTimeOf } from '@azimuth/model';
import type { MonitorClock } from '../../src/clock.js';
import type { WatchedClient } from '../../src/watch/reading.js';

type Behaviour = 'answers' | 'refuses connections' | 'hangs';

/** A scanner as the client shows it, without a network. */
export class FakeScanner implements WatchedClient {
  readonly url: string;
  /** Its values by their names; names that are not here do not exist in its release. */
  readonly values = new Map<string, unknown>();
  behaviour: Behaviour = 'answers';
  /** The names that were asked for, in order. */
  readonly asked: string[] = [];
  /** When they were asked for. */
  readonly askedAt: number[] = [];
  /** Requests that are being answered, and the most of them at a time. */
  open = 0;
  mostOpen = 0;
  /** Seconds by which its clock is ahead. */
  ahead = 0;
  readonly #clock: MonitorClock;
  readonly #bootedAt: number;
  #listeners = new Set<(event: AnyEvent | undefined) => void>();

  constructor(
    clock: MonitorClock,
    { url = 'http://192.168.0.1', serial = '23450001', version = '2.4.4.0R' } = {},
  ) {
    this.url = url;
    this.#clock = clock;
    this.#bootedAt = clock.now();
    for (const { name, type } of builtInInterface.variables) this.values.set(name, type.initial);
    for (const [name, value] of Object.entries({
      SerialNumber: serial,
      DeviceIdent: { Name: 'picoScan', Version: version },
      DeviceStatus: 3,
      SCdevicestate: 1,
      ContaminationData: [1, 1, 1, 1, 1, 1, 1],
      PowerOnCnt: 5,
      LastParaDate: '15.01.2026',
      LastParaTime: '08:00',
    }))
      this.values.set(name, value);
  }

  async readAny(name: string): Promise<unknown> {
    this.asked.push(name);
    this.askedAt.push(this.#clock.now());
    this.open++;
    this.mostOpen = Math.max(this.mostOpen, this.open);
    try {
      return await this.#answer(name);
    } finally {
      this.open--;
    }
  }

  /** Sends an event to all that listen, and has the value from now on. */
  push(event: string, data: unknown): void {
    this.values.set(event, data);
    for (const listener of this.#listeners) listener({ event, data, at: this.#clock.now() });
  }

  /** Ends the connections of those that listen. */
  dropListeners(): void {
    for (const listener of this.#listeners) listener(undefined);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  eventsAny(names: readonly string[], { signal, onState }: EventOptions = {}): Events<AnyEvent> {
    const listeners = this.#listeners;
    const waiting: (AnyEvent | undefined)[] = names.map((event) => ({
      event,
      data: this.values.get(event),
      at: this.#clock.now(),
    }));
    let wake = () => {};
    const listen = (event: AnyEvent | undefined) => {
      waiting.push(event);
      wake();
    };
    const close = () => listen(undefined);
    async function* events(): AsyncGenerator<AnyEvent, undefined> {
      listeners.add(listen);
      signal?.addEventListener('abort', close);
      onState?.('connected', '');
      try {
        while (true) {
          for (const event of waiting.splice(0)) {
            if (event === undefined) return undefined;
            yield event;
          }
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        listeners.delete(listen);
      }
    }
    return { lost: 0, close, [Symbol.asyncIterator]: events };
  }

  async #answer(name: string): Promise<unknown> {
    if (this.behaviour === 'hangs') {
      await this.#clock.pause(3000);
      throw new UnreachableError(this.url, 'no answer within 3 s', undefined);
    }
    await Promise.resolve();
    if (this.behaviour === 'refuses connections')
      throw new UnreachableError(this.url, 'ECONNREFUSED', undefined);
    if (!this.values.has(name)) throw new ScannerError(name, 5, 'not found', '');
    const now = this.#clock.now();
    if (name === 'LSPdatetime') return dateTimeOf((localOf(now) + this.ahead * 1000) * 1000);
    if (name === 'DailyOpHours' && this.values.get(name) === 0) return (now - this.#bootedAt) / 3_600_000;
    return this.values.get(name);
  }
}

function localOf(now: number): number {
  return now - new Date(now).getTimezoneOffset() * 60_000;
}
