import { until } from '@azimuth/test-support/waiting';
import type { TimeResponse, TimeServers } from '../../src/network-interface.js';

/** Time servers that a test controls. */
export class FakeTimeServers implements TimeServers {
  /** The addresses of the requests, in order. */
  readonly addresses: string[] = [];
  brokenOff = 0;
  #resolve: ((response: TimeResponse) => void) | undefined;

  request(address: readonly number[], signal: AbortSignal): Promise<TimeResponse> {
    this.addresses.push(address.join('.'));
    signal.addEventListener('abort', () => {
      this.brokenOff += 1;
    });
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** True if a request waits for its response. */
  get hasRequest(): boolean {
    return this.#resolve !== undefined;
  }

  /** Waits for the next request, and responds to it. */
  async respond(response: TimeResponse): Promise<void> {
    await until(() => this.hasRequest);
    this.#resolve?.(response);
    this.#resolve = undefined;
    await flushPromises();
  }

  /** Responds with a UTC that is so many ms ahead of the host's. */
  respondWithTime(ahead: number): Promise<void> {
    return this.respond({ kind: 'time', ahead, roundTrip: 1.5, stratum: 2 });
  }

  miss(reason = 'nobody there'): Promise<void> {
    return this.respond({ kind: 'none', reason });
  }
}

/** Waits for pending promises and imports. */
export async function flushPromises(): Promise<void> {
  for (let round = 0; round < 20; round++) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}
