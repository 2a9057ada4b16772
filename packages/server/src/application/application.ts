import type { ServerResponse } from 'node:http';
import type { Device } from '@azimuth/device';
import type { Faults } from '@azimuth/device/faults';
import type { Journal } from '@azimuth/device/journal';
import {
  Admission,
  type AllowedNames,
  allowing,
  Bodies,
  Connections,
  countedPath,
  HttpPort,
  hasLocalRights,
  isFromThisComputer,
  RateLimit,
  type RequestContext,
  refuseWithoutHint,
  respondText,
  type SharedLimits,
  type Traffic,
} from '@azimuth/http';
import type { ChosenTimeouts } from '@azimuth/http/limits';
import { largestBody, Refusal } from '@azimuth/model';
import type { ControlInterface } from '../control/control-interface.js';
import type { EventMetrics } from '../events/event-metrics.js';
import { EventServer } from '../events/event-server.js';
import { FaultyRequests } from '../faults/faulty-requests.js';
import { unservedRequest } from '../faults/unserved-request.js';
import { respondFile } from '../files/file-interface.js';
import { Metrics } from '../metrics/metrics.js';
import type { LegacyCounts, StreamCounts } from '../metrics/scanner-metrics.js';
import { allPages, type Page, type PageTable, pageFor, pageOfDeviceAt } from '../pages/pages.js';
import { mostBodyBytesTogether } from '../rest/limits.js';
import { Exchange, RestInterface, restPath, type Serve } from '../rest/rest-interface.js';
import { OwnPaths } from './own-paths.js';

/** The web server of a scanner. */
export interface WebServerOptions {
  /** Port; 0 for any free one. Once chosen, it stays the same over reboots and moves. */
  readonly port: number;
  /** Port for HTTPS; any free one if it is not given. */
  readonly httpsPort?: number | undefined;
  /** Connections over HTTP and HTTPS together. */
  readonly maxConnections: number;
  /** Requests a second and client; undefined for no limit. */
  readonly rateLimit?: number | undefined;
  /** True if clients of events are limited as strictly as by devices. */
  readonly strictEvents?: boolean | undefined;
  /** True if messages of events are compressed for clients that offer it. By default, they are. */
  readonly compressEvents?: boolean | undefined;
  /** Time (ms) for which metrics are cached; default 1000. */
  readonly metricsFreshFor?: number | undefined;
  /** Host names and origins that are allowed in addition to the standard ones. */
  readonly allowed?: AllowedNames | undefined;
  /** Folder of the GUI, which is served at `/`: {@link guiFolder}. By default, there is none. */
  readonly gui?: string | undefined;
  /** Limits that all scanners of the process share; by default, there are none beside those of each. */
  readonly shared?: SharedLimits | undefined;
  /** Timeouts that differ from the defaults. */
  readonly timeouts?: ChosenTimeouts | undefined;
}

export interface ApplicationOptions {
  readonly device: Device;
  readonly web: WebServerOptions;
  readonly traffic: Traffic;
  readonly eventMetrics: EventMetrics;
  readonly streams: StreamCounts;
  /** Control interface; undefined if it is disabled. */
  readonly legacy: LegacyCounts | undefined;
  /** True if it has only what devices have: no paths and headers of our own. */
  readonly asDevice: boolean;
  /** The control interface for pages of the scanner; undefined for none. */
  readonly simulation: ControlInterface | undefined;
  /** Planned faults; undefined for a scanner that has none. */
  readonly faults: Faults | undefined;
  /** Receives what clients do; undefined if nobody keeps it. */
  readonly journal: Journal | undefined;
}

/**
 * HTTP service of a scanner, over HTTP and HTTPS: the interface of the specification under `/api/`, and pages and
 * extensions of our own.
 */
export function application({
  device,
  web,
  asDevice,
  traffic,
  eventMetrics,
  streams,
  legacy,
  simulation,
  faults,
  journal,
}: ApplicationOptions): HttpPort {
  const { maxConnections, rateLimit, metricsFreshFor, allowed = {}, gui, shared } = web;
  const { clock, errors } = device;
  const connections = new Connections(maxConnections, (error) => errors.report('http', error));
  const metrics = new Metrics(device, {
    ...{ traffic, events: eventMetrics, streams, legacy, freshFor: metricsFreshFor },
  });
  const events = new EventServer(device, traffic, eventMetrics, { ...web, asDevice }, { faults, journal });
  const router = new Router({
    device,
    traffic,
    metrics,
    asDevice,
    gui,
    simulation,
    shared,
    journal,
    isLocal: localCheck(allowed),
  });
  const { serve } = router;
  return new HttpPort({
    ...{ errors, clock, connections, counts: traffic, unsentResponseBytes: shared?.unsentResponseBytes },
    headerNames: asDevice ? noOwnHeaders : device.served.edition.product,
    admission: new Admission({
      ...allowing(allowed),
      rateLimit: rateLimit === undefined ? undefined : new RateLimit(clock, rateLimit),
      counts: traffic,
      respond: asDevice ? refuseWithoutHint : undefined,
    }),
    serve:
      faults === undefined
        ? serve
        : new FaultyRequests({
            clock: device.clock,
            faultOf: (path, method) => faults.http?.of(path, method),
            unserved: (path, { request }, response) =>
              unservedRequest({ device, traffic, journal }, path, request, response),
            serve,
          }).serve,
    upgrades: {
      isAt: (path) => events.isAt(path),
      accept: ({ request }, _, head) => events.accept(request, head),
    },
  });
}

/** Names of the headers of a scanner that has only what devices have. */
const noOwnHeaders = { headerPrefix: undefined };

/** Receivers of requests. */
interface Parts {
  readonly device: Device;
  readonly traffic: Traffic;
  readonly metrics: Metrics;
  readonly asDevice: boolean;
  readonly gui: string | undefined;
  readonly simulation: ControlInterface | undefined;
  readonly shared: SharedLimits | undefined;
  readonly journal: Journal | undefined;
  /** Returns true if a request comes from this computer. */
  readonly isLocal: (context: RequestContext) => boolean;
}

/** Behind a proxy, no client counts as one on this computer. */
function localCheck(allowed: AllowedNames): (context: RequestContext) => boolean {
  return hasLocalRights(allowed) ? isFromThisComputer : () => false;
}

/** Routes requests by their paths: to the interface of the specification, to our extensions, or to a page. */
class Router {
  readonly serve: Serve;
  readonly #device: Device;
  readonly #traffic: Traffic;
  readonly #metrics: Metrics;
  readonly #pageAt: PageTable;
  readonly #rest: RestInterface;
  /** What is under `/x/`; undefined for a scanner that has only what devices have. */
  readonly #own: OwnPaths | undefined;
  readonly #journal: Journal | undefined;

  constructor({ device, traffic, metrics, asDevice, gui, simulation, shared, journal, isLocal }: Parts) {
    this.#device = device;
    this.#traffic = traffic;
    this.#metrics = metrics;
    this.#pageAt = asDevice ? pageOfDeviceAt : allPages(gui);
    this.#journal = journal;
    const bodies = new Bodies(largestBody, mostBodyBytesTogether, device.clock, shared?.bodyBytes);
    this.#rest = new RestInterface({
      device,
      traffic,
      bodies,
      journal,
      names: 'endpoints',
      fileAt: (name) => {
        const file = device.served.files.get(name);
        if (file === undefined) return undefined;
        return (context, response, exchange) => respondFile(device, file, context, response, exchange);
      },
    });
    this.#own = asDevice
      ? undefined
      : new OwnPaths({ device, traffic, bodies, journal, simulation, isLocal, pageAt: this.#pageAt });
    this.serve = this.#rest.before((path, context, response) => this.#serveOther(path, context, response));
  }

  /** Responds to requests that are not for a name under `/api/`. A promise holds the connection until it is settled. */
  #serveOther(path: string, context: RequestContext, response: ServerResponse): void {
    const { request } = context;
    if (this.#own?.serves(path, context, response) === true) return;
    const suggestion = nameIgnoringCase(path);
    if (suggestion !== undefined || path.startsWith(restPath)) {
      this.#serveLongPath(path, suggestion, context, response);
      return;
    }
    // A body is read and dropped.
    request.on('data', () => this.#device.clock.catchUp());
    const page = pageFor(path, request, response, this.#pageAt);
    if (page === undefined) return;
    const release = context.hold();
    this.#device.errors.contain(
      'http',
      () => this.#send(path, page, response).finally(release),
      () => response.destroy(),
    );
  }

  /** Refuses a name with a slash, or a path that is not in its normal form, in JSON, as clients expect. */
  #serveLongPath(
    path: string,
    suggestion: string | undefined,
    context: RequestContext,
    response: ServerResponse,
  ): void {
    if (suggestion === undefined || !this.#exists(suggestion) || path === restPath + suggestion) {
      const name = path.startsWith(restPath) ? path.slice(restPath.length) : path;
      this.#rest.handle(name, context, response);
      return;
    }
    const refusal = new Refusal(
      'notFound',
      '',
      `nothing is at ${path}: did you mean ${restPath}${suggestion}?`,
    );
    const parts = { device: this.#device, traffic: this.#traffic, journal: this.#journal };
    new Exchange(parts, path, context.request, response).refuse(refusal);
  }

  #exists(name: string): boolean {
    return this.#device.served.endpoints.has(name) || this.#device.served.files.has(name);
  }

  async #send(path: string, page: Page, response: ServerResponse): Promise<void> {
    try {
      await page({ device: this.#device, metrics: this.#metrics }, response);
    } catch (error) {
      this.#refuse(path, error, response);
    }
    this.#traffic.countPage(countedPath(path), response.statusCode);
  }

  #refuse(path: string, error: unknown, response: ServerResponse): void {
    this.#device.hardware.log.error('A page could not be sent', { path, reason: String(error) });
    respondText(response, 500, 'The scanner failed to answer; its log says why.');
  }
}

/**
 * Returns the name in a path of the interface that is not in its normal form: doubled slashes, dots, capital letters in
 * `/API`, encoded slashes, or a slash at the end. Empty if it names nothing, undefined for a path outside `/api`.
 */
function nameIgnoringCase(path: string): string | undefined {
  const [first, ...others] = segmentsOf(path);
  return first?.toLowerCase() === 'api' ? others.join('/') : undefined;
}

/**
 * Returns the segments of a path that is not in its normal form, for hints: without `.`, `..` (RFC 3986 §5.2.4) and
 * empty segments. Encoded slashes separate segments. Letters that are encoded twice or wrongly are decoded, too.
 */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (const segment of withoutCodes(path).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}

/** Decodes each letter on its own, and slashes, too, unlike `pathOf`. */
function withoutCodes(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}
