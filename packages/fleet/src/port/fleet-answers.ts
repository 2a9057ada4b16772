import type { ServerResponse } from 'node:http';
import {
  AddressShares,
  defaultCacheTime,
  isFromThisComputer,
  isGuiPath,
  noServiceWorker,
  type RequestContext,
  requestsServiceWorker,
  respondForbidden,
  respondJson,
  respondText,
  sendGui,
} from '@azimuth/http';
import { bodyOf, Refused, urlAsked } from './asked.js';
import { type EventSource, sendEvents } from './events-stream.js';
import { jsonInTurns } from './in-turns.js';
import { MadeAnswers, TooManyAsked } from './made-answers.js';
import { overviewPage, overviewPolicy } from './overview-page.js';
import { scannersPath } from './scanner-path.js';
import { listedStates, type ScannerSummary } from './scanner-summary.js';
import { UnreadAnswers } from './unread-answers.js';
import { EventTexts } from './waiting-events.js';

const json = 'application/json';

/** Parameters that select scanners in the path of a list. Other parameters do not make another list. */
const choosing = ['q', 'group', 'state', 'serials', 'from', 'limit'];

/** Responds to requests that are not for one scanner. */
export class FleetAnswers {
  readonly #gui: string | undefined;
  readonly #lists: MadeAnswers;
  /** Separate from the lists, for which many requests may wait. */
  readonly #sums: MadeAnswers;
  readonly #unread = new UnreadAnswers();
  readonly #followers = { shares: new AddressShares<ServerResponse>(), texts: new EventTexts() };

  /**
   * @param gui the folder of the GUI; undefined for none
   * @param freshFor ms for which lists, totals and metrics are cached
   */
  constructor(gui: string | undefined, freshFor = defaultCacheTime) {
    this.#gui = gui;
    this.#lists = new MadeAnswers(freshFor);
    this.#sums = new MadeAnswers(freshFor);
  }

  /**
   * Responds to a request.
   * @param origin of the fleet, as known to the client
   * @throws BadFleetRequest, and what `fleet` throws
   */
  async answer(
    fleet: WholeFleet,
    context: RequestContext,
    response: ServerResponse,
    origin: string,
  ): Promise<void> {
    const { request } = context;
    const { pathname, searchParams } = urlAsked(request.url ?? '/');
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
  metrics(fleet: WholeFleet): Promise<Buffer> {
    return this.#sums.of('metrics', async () => Buffer.from(await fleet.metrics()));
  }

  /** Ends the event streams of all followers. */
  endEvents(): void {
    for (const response of this.#followers.shares.all) response.end();
  }

  async #read(fleet: WholeFleet, asked: Asked, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = asked;
    const gui = this.#gui;
    try {
      if (pathname === scannersPath) this.#unread.send(response, json, await this.#list(fleet, asked));
      else if (pathname === '/fleet') this.#unread.send(response, json, await this.#overview(fleet));
      else if (pathname === '/fleet/events')
        sendEvents(fleet.events, this.#followers, searchParams, response);
      else if (pathname === '/metrics')
        this.#unread.send(response, 'text/plain; charset=utf-8', await this.metrics(fleet));
      else if (pathname === '/' && !searchParams.has('scanners')) {
        const page = await this.#page(fleet, asked);
        response.setHeader('Content-Security-Policy', overviewPolicy);
        response.setHeader('Cache-Control', 'no-store');
        this.#unread.send(response, 'text/html; charset=utf-8', page);
      } else if (gui !== undefined && isGuiPath(pathname)) await sendGui(gui, pathname, response);
      else
        respondText(
          response,
          404,
          'Nothing is here. /scanners lists the scanners, /scanners/SERIAL/ is one of them.',
        );
    } catch (error) {
      if (!(error instanceof TooManyAsked)) throw error;
      response.setHeader('Retry-After', 1);
      respondText(response, 503, error.message);
    }
  }

  #list(fleet: WholeFleet, { searchParams, origin }: Asked): Promise<Buffer> {
    const chosen = chosenIn(searchParams);
    return this.#lists.of(`list ${origin} ${chosen}`, async () =>
      jsonInTurns(await listOf(fleet, chosen, origin)),
    );
  }

  #overview(fleet: WholeFleet): Promise<Buffer> {
    return this.#sums.of('overview', async () => Buffer.from(`${JSON.stringify(await fleet.overview())}\n`));
  }

  #page(fleet: WholeFleet, { searchParams, origin }: Asked): Promise<Buffer> {
    const chosen = chosenIn(searchParams);
    return this.#lists.of(`page ${chosen}`, async () =>
      Buffer.from(await overviewPage(chosen, fleet.size, (part) => listOf(fleet, part, origin))),
    );
  }

  /** Switches the power of scanners. Only programs on this computer may do so. */
  async #switchPower(fleet: WholeFleet, context: RequestContext, response: ServerResponse): Promise<void> {
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
      this.#lists.forget();
      this.#sums.forget();
    }
  }
}

interface Asked {
  readonly pathname: string;
  readonly searchParams: URLSearchParams;
  readonly origin: string;
}

function chosenIn(asked: URLSearchParams): URLSearchParams {
  const chosen = new URLSearchParams();
  for (const name of choosing) {
    const value = asked.get(name);
    if (value !== null) chosen.set(name, value);
  }
  return chosen;
}

/** @throws BadFleetRequest */
async function listOf(
  fleet: WholeFleet,
  asked: URLSearchParams,
  origin: string,
): Promise<readonly ScannerSummary[]> {
  const state = asked.get('state');
  if (state !== null && !listedStates.some((one) => one === state))
    throw new Refused(`state: expected one of ${listedStates.join(', ')}, got "${state}"`);
  return fleet.list(asked, origin);
}

/** A fleet as its port sees it. Its scanners may run in other processes. */
export interface WholeFleet {
  /** Number of scanners. */
  readonly size: number;
  readonly events: EventSource;
  /**
   * Lists scanners. `?q=` is a pattern, `?group=` and `?state=` are exact, `?serials=` has serial numbers with commas between
   * them, `?limit=` and `?from=` select a part of the list.
   * @param origin of the fleet, as known to the client: `http://127.0.0.1:8000`
   * @throws BadFleetRequest
   */
  list(
    asked: URLSearchParams,
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
