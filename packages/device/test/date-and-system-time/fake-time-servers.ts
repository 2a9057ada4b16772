import { until } from '@azimuth/test-support/waiting';
import type { TimeResponse, TimeServers } from '../../src/index.js';

/** Time servers that say what a test wants, when it wants. */
export class FakeTimeServers implements TimeServers {
  /** The addresses that were asked, in order. */
  readonly asked: string[] = [];
  brokenOff = 0;
  #answer: ((answer: TimeResponse) => void) | undefined;

  request(address: readonly number[], signal: AbortSignal): Promise<TimeResponse> {
    this.asked.push(address.join('.'));
    signal.addEventListener('abort', () => {
      this.brokenOff += 1;
    });
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }

  /** Is there a request that has no answer yet? */
  get isAsked(): boolean {
    return this.#answer !== undefined;
  }

  /** Waits for the next request, and answers it. */
  async say(answer: TimeResponse): Promise<void> {
    await until(() => this.isAsked);
    this.#answer?.(answer);
    this.#answer = undefined;
    await settled();
  }

  /** A server whose UTC is so many ms ahead of the host's. */
  tell(ahead: number): Promise<void> {
    return this.say({ kind: 'time', ahead, roundTrip: 1.5, stratum: 2 });
  }

  miss(reason = 'nobody there'): Promise<void> {
    return this.say({ kind: 'none', reason });
  }
}

/** Lets promises and imports that are under way come to their end. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 20; round++) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}
