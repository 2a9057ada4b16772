import type { Device } from '@azimuth/device';
import { EventServer } from '../events/event-server.js';
import { type AllowedNames, HostAndOrigin } from '../http/host-and-origin.js';
import type { Timeouts } from '../http/http-server.js';
import { RateLimit } from '../http/rate-limit.js';
import { Reception } from '../http/reception.js';
import { Turns } from '../http/turns.js';
import type { LegacyCounts, StreamCounts } from '../metrics/counts.js';
import { Traffic } from '../traffic/traffic.js';
import { Router } from './router.js';

export interface WebServerFacts {
  /** 0 for any free one; once chosen it stays the same over reboots and moves. */
  readonly port: number;
  /** The same for HTTPS; any free one where it is not stated. */
  readonly httpsPort?: number;
  /** Over HTTP and HTTPS together. */
  readonly maxConnections: number;
  /** Requests a second and client; undefined for no limit. */
  readonly rateLimit?: number;
  /** Are clients of events treated as strictly as devices do? */
  readonly strictEvents?: boolean;
  /** How long (ms) all who ask for metrics get the same: a second where nothing is stated. */
  readonly metricsFreshFor?: number;
  /** Names and origins beside those that are always good. */
  readonly allowed?: AllowedNames;
  /** Those that are not stated are the usual ones. */
  readonly timeouts?: Partial<Timeouts>;
}

/**
 * Everything that is served over HTTP, whatever listener it comes to: the interface of the specification under
 * `/api/`, our own paths beside it.
 */
export function application(
  device: Device,
  { maxConnections, rateLimit, strictEvents = false, metricsFreshFor, allowed }: WebServerFacts,
  streams: StreamCounts,
  legacy: () => LegacyCounts | undefined,
): Reception {
  const { errors } = device;
  const traffic = new Traffic();
  const turns = new Turns((error) => errors.tell('http', error));
  const router = new Router(device, { traffic, streams, legacy, freshFor: metricsFreshFor }, turns);
  return new Reception({
    errors,
    clock: device.clock,
    maxConnections,
    rateLimit: rateLimit === undefined ? undefined : new RateLimit(device.clock, rateLimit),
    hostAndOrigin: new HostAndOrigin(allowed),
    traffic,
    turns,
    serve: (request, response) => router.serve(request, response),
    events: new EventServer(device, traffic, strictEvents),
  });
}
