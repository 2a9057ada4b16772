import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  isFromThisComputer,
  isGuiPath,
  JsonBody,
  replyForbidden,
  replyText,
  SharedLimit,
  sendGui,
  sendJson,
} from '@azimuth/server';
import { bodyOf, Refused, urlAsked } from './asked.js';
import { sendEvents } from './events-stream.js';
import { type ListedUnit, listedStates } from './listed-unit.js';
import { sendOverviewPage } from './overview-page.js';
import { scannersPath } from './scanner-path.js';
import type { WholeFleet } from './whole-fleet.js';

/** Bytes of all answers that their clients have not read yet. The list of 10,000 scanners has 4 MB. */
const mostUnread = 64 * 1024 * 1024;

/** Answers requests that are not for one scanner. */
export class FleetAnswers {
  readonly #gui: string | undefined;
  readonly #unread = new SharedLimit(mostUnread);

  /** @param gui the folder of the GUI; undefined for none */
  constructor(gui: string | undefined) {
    this.#gui = gui;
  }

  /**
   * @param origin of the fleet, as whoever asks knows it
   * @throws Refused, and what `fleet` throws
   */
  async answer(
    fleet: WholeFleet,
    request: IncomingMessage,
    response: ServerResponse,
    origin: string,
  ): Promise<void> {
    const gui = this.#gui;
    const { pathname, searchParams } = urlAsked(request.url ?? '/');
    if (request.method === 'POST' && pathname === '/fleet/power') {
      await this.#switchPower(fleet, request, response);
      return;
    }
    request.resume();
    const list = (asked: URLSearchParams) => listOf(fleet, asked, origin);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      replyText(response, 405, 'Only GET is answered here, and POST at /fleet/power.');
    } else if (pathname === scannersPath) this.#reply(response, await list(searchParams));
    else if (pathname === '/fleet') this.#reply(response, await fleet.overview());
    else if (pathname === '/fleet/events') sendEvents(fleet.events, searchParams, response);
    else if (pathname === '/metrics') replyText(response, 200, (await fleet.metrics()).trimEnd());
    else if (pathname === '/' && !searchParams.has('scanners'))
      await sendOverviewPage(response, searchParams, fleet.size, list);
    else if (gui !== undefined && isGuiPath(pathname)) await sendGui(gui, pathname, response);
    else
      replyText(
        response,
        404,
        'Nothing is here. /scanners lists the scanners, /scanners/SERIAL/ is one of them.',
      );
  }

  #reply(response: ServerResponse, json: unknown): void {
    const body = new JsonBody(`${JSON.stringify(json)}\n`);
    const { length } = body;
    if (!this.#unread.take(length)) {
      response.setHeader('Retry-After', 1);
      replyText(response, 503, 'Too many clients have not read their answers yet.');
      return;
    }
    response.once('close', () => this.#unread.add(-length));
    sendJson(response, 200, body);
  }

  /** For programs on this computer alone. */
  async #switchPower(fleet: WholeFleet, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isFromThisComputer(request)) {
      request.resume();
      replyForbidden(
        response,
        'only programs on the computer of the fleet switch its scanners on and off, and not through a proxy; with --allowed-host, only if --local-rights says so',
      );
      return;
    }
    this.#reply(response, await fleet.power(await bodyOf(request)));
  }
}

/** @throws Refused */
async function listOf(
  fleet: WholeFleet,
  asked: URLSearchParams,
  origin: string,
): Promise<readonly ListedUnit[]> {
  const state = asked.get('state');
  if (state !== null && !listedStates.some((one) => one === state))
    throw new Refused(`state: expected one of ${listedStates.join(', ')}, got "${state}"`);
  return fleet.list(asked, origin);
}
