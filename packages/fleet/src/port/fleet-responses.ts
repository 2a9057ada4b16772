import type { ServerResponse } from 'node:http';
import {
  AddressShares,
  defaultCacheTime,
  isFromThisComputer,
  isGuiPath,
  noServiceWorker,
  pagesOfSeveral,
  type RequestContext,
  requestsServiceWorker,
  respondForbidden,
  respondJson,
  respondText,
  sendGui,
  siteListPath,
} from '@azimuth/http';
import { CachedResponses, TooManyRequests } from './cached-responses.js';
import { type EventSource, sendEvents } from './events-stream.js';
import { BadFleetRequest, bodyOf, requestUrl } from './fleet-requests.js';
import { jsonInTurns } from './in-turns.js';
import { scannersPath } from './scanner-path.js';
import { listedStates, type ScannerSummary } from './scanner-summary.js';
import { SiteOfFleet, type SiteSource } from './site-of-fleet.js';
import { sortedList } from './trouble-first.js';
import { UnreadResponses } from './unread-responses.js';
import { EventTexts } from './waiting-events.js';

const json = 'application/json';

/** Parameters that select scanners in the path of a list. Other parameters do not make another list. */
const selectingParameters = ['q', 'group', 'state', 'serials', 'from', 'limit', 'sort'];

/** Those in the path of the list for the GUI. */
const siteParameters = ['q', 'path', 'group', 'severity', 'sort', 'order', 'from', 'limit'];

/** What `/` answers without a GUI. */
const withoutGui = 'This fleet serves no GUI. /scanners lists its scanners, /fleet counts them.';

/** Responds to requests that are not for one scanner. */
export class FleetResponses {
  readonly #gui: string | undefined;
  readonly #freshFor: number;
  /** The list for the GUI, of the fleet that was asked about. */
  readonly #sites = new WeakMap<FleetSource, SiteOfFleet>();
  readonly #lists: CachedResponses;
  /** Separate from the lists, for which many requests may wait. */
  readonly #totals: CachedResponses;
  readonly #unread = new UnreadResponses();
  readonly #followers = { shares: new AddressShares<ServerResponse>(), texts: new EventTexts() };

  /**
   * @param gui the folder of the GUI; undefined for none
   * @param freshFor ms for which lists, totals and metrics are cached
   */
  constructor(gui: string | undefined, freshFor = defaultCacheTime) {
    this.#gui = gui;
    this.#freshFor = freshFor;
    this.#lists = new CachedResponses(freshFor);
    this.#totals = new CachedResponses(freshFor);
  }

  /**
   * Responds to a request.
   * @param origin of the fleet, as known to the client
   * @throws BadFleetRequest, and the errors of `fleet`
   */
  async respond(
    fleet: FleetSource,
    context: RequestContext,
    response: ServerResponse,
    origin: string,
  ): Promise<void> {
    const { request } = context;
    const { pathname, searchParams } = requestUrl(request.url ?? '/');
    if (requestsServiceWorker(request)) {
      request.resume();
      respondForbidden(response, noServiceWorker);
    } else if (request.method === 'POST' && pathname === '/fleet/power') {
      await this.#switchPower(fleet, context, response);
    } else {
      request.resume();
      if (request.method !== 'GET' && request.method !== 'HEAD')
        respondText(response, 405, 'Only GET is answered here, and POST at /fleet/power.');
      else await this.#read(fleet, { pathname, searchParams, origin }, response);
    }
  }

  /** Returns the page `/metrics`. */
  metrics(fleet: FleetSource): Promise<Buffer> {
    return this.#totals.of('metrics', async () => Buffer.from(await fleet.metrics()));
  }

  /** Returns the list for the GUI. */
  #siteOf(fleet: FleetSource): SiteOfFleet {
    const site =
      this.#sites.get(fleet) ??
      new SiteOfFleet(fleet.site ?? { all: () => fleet.list(new URLSearchParams(), '') }, this.#freshFor);
    this.#sites.set(fleet, site);
    return site;
  }

  /** Ends the event streams of all followers. */
  endEvents(): void {
    for (const response of this.#followers.shares.all) response.end();
  }

  async #read(fleet: FleetSource, query: FleetRequest, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = query;
    const gui = this.#gui;
    const elsewhere = pagesOfSeveral(`${pathname}?${searchParams}`);
    try {
      if (pathname === scannersPath) this.#unread.send(response, json, await this.#list(fleet, query));
      else if (pathname === '/fleet') this.#unread.send(response, json, await this.#overview(fleet));
      else if (pathname === '/fleet/events')
        sendEvents(fleet.events, this.#followers, searchParams, response);
      else if (pathname === '/metrics')
        this.#unread.send(response, 'text/plain; charset=utf-8', await this.metrics(fleet));
      else if (pathname === siteListPath) {
        const list = await this.#site(fleet, query);
        response.setHeader('Cache-Control', 'no-store');
        this.#unread.send(response, json, list);
      } else if (gui === undefined && pathname === '/') respondText(response, 200, withoutGui);
      else if (elsewhere !== undefined)
        response.writeHead(302, { Location: elsewhere, 'Content-Length': 0 }).end();
      else if (gui !== undefined && isGuiPath(pathname)) await sendGui(gui, pathname, response);
      else
        respondText(
          response,
          404,
          'Nothing is here. /scanners lists the scanners, /scanners/SERIAL/ is one of them.',
        );
    } catch (error) {
      if (!(error instanceof TooManyRequests)) throw error;
      response.setHeader('Retry-After', 1);
      respondText(response, 503, error.message);
    }
  }

  #list(fleet: FleetSource, { searchParams, origin }: FleetRequest): Promise<Buffer> {
    const selection = selectionIn(searchParams, selectingParameters);
    return this.#lists.of(`list ${origin} ${selection}`, async () =>
      jsonInTurns(await listOf(fleet, selection, origin)),
    );
  }

  #overview(fleet: FleetSource): Promise<Buffer> {
    return this.#totals.of('overview', async () =>
      Buffer.from(`${JSON.stringify(await fleet.overview())}\n`),
    );
  }

  #site(fleet: FleetSource, { searchParams, origin }: FleetRequest): Promise<Buffer> {
    const selection = selectionIn(searchParams, siteParameters);
    return this.#lists.of(`site ${origin} ${selection}`, async () =>
      Buffer.from(`${JSON.stringify(await this.#siteOf(fleet).list(selection, origin))}\n`),
    );
  }

  /** Switches the power of scanners. Only programs on this computer may do so. */
  async #switchPower(fleet: FleetSource, context: RequestContext, response: ServerResponse): Promise<void> {
    const { request } = context;
    if (!isFromThisComputer(context)) {
      request.resume();
      respondForbidden(
        response,
        'only programs on the computer of the fleet switch its scanners on and off, and not through a proxy; with --allowed-host, only if --local-rights says so',
      );
      return;
    }
    try {
      respondJson(response, 200, await fleet.power(await bodyOf(request)));
    } finally {
      this.#siteOf(fleet).forget();
      this.#lists.forget();
      this.#totals.forget();
    }
  }
}

interface FleetRequest {
  readonly pathname: string;
  readonly searchParams: URLSearchParams;
  readonly origin: string;
}

/** Returns the parameters of these names, in the order of the names: other ones do not make another list. */
function selectionIn(query: URLSearchParams, names: readonly string[]): URLSearchParams {
  const selection = new URLSearchParams();
  for (const name of names) for (const value of query.getAll(name)) selection.append(name, value);
  return selection;
}

/** @throws BadFleetRequest */
async function listOf(
  fleet: FleetSource,
  query: URLSearchParams,
  origin: string,
): Promise<readonly ScannerSummary[]> {
  const state = query.get('state');
  if (state !== null && !listedStates.some((one) => one === state))
    throw new BadFleetRequest(`state: expected one of ${listedStates.join(', ')}, got "${state}"`);
  return sortedList(query, async (part) => fleet.list(part, origin));
}

/** A fleet as its port sees it. Its scanners may run in other processes. */
export interface FleetSource {
  /** Number of scanners. */
  readonly size: number;
  readonly events: EventSource;
  /** Its scanners for the GUI; by default, the list of all of them. */
  readonly site?: SiteSource;
  /**
   * Lists scanners. `?q=` is a pattern, `?group=` and `?state=` are exact, `?serials=` has serial numbers with commas between
   * them, `?limit=` and `?from=` select a part of the list.
   * @param origin of the fleet, as known to the client: `http://127.0.0.1:8000`
   * @throws BadFleetRequest
   */
  list(
    query: URLSearchParams,
    origin: string,
  ): readonly ScannerSummary[] | Promise<readonly ScannerSummary[]>;
  overview(): object | Promise<object>;
  /** Returns the metrics in the text format of Prometheus. */
  metrics(): Promise<string>;
  /**
   * Switches scanners on or off.
   * @param body `{"scanners": PATTERN, "power": "on" | "off" | "cycle"}`
   * @throws BadFleetRequest
   */
  power(body: string): Promise<object>;
}
