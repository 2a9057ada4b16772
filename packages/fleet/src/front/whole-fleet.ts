import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  isFromThisComputer,
  isGuiPath,
  replyForbidden,
  replyJson,
  replyText,
  sendGui,
} from '@azimuth/server';
import { bodyOf, Refused, urlAsked } from './asked.js';
import { type EventSource, sendEvents } from './events-stream.js';
import { type ListedUnit, listedStates } from './listed-unit.js';
import { sendOverviewPage } from './overview-page.js';
import { scannersPath } from './scanner-path.js';

/** A fleet as its port tells of it, wherever its scanners run. */
export interface WholeFleet {
  /** How many scanners it has. */
  readonly size: number;
  readonly events: EventSource;
  /**
   * `?q=` is a pattern, `?group=` and `?state=` are exact, `?limit=` and `?from=` a part of the list.
   * @throws Refused
   */
  list(asked: URLSearchParams): readonly ListedUnit[] | Promise<readonly ListedUnit[]>;
  overview(): object | Promise<object>;
  /** In the text format of Prometheus. */
  metrics(): string | Promise<string>;
  /**
   * Switches scanners on or off.
   * @param body `{"scanners": PATTERN, "power": "on" | "off" | "cycle"}`
   * @throws Refused
   */
  power(body: string): Promise<object>;
}

/**
 * Answers a request that is not for one scanner.
 * @param gui the folder of the GUI; undefined for none
 * @throws Refused
 */
export async function answerForFleet(
  fleet: WholeFleet,
  gui: string | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = urlAsked(request.url ?? '/');
  if (request.method === 'POST' && pathname === '/fleet/power') {
    await switchPower(fleet, request, response);
    return;
  }
  request.resume();
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    replyText(response, 405, 'Only GET is answered here, and POST at /fleet/power.');
  } else if (pathname === scannersPath) replyJson(response, 200, await listOf(fleet, searchParams));
  else if (pathname === '/fleet') replyJson(response, 200, await fleet.overview());
  else if (pathname === '/fleet/events') sendEvents(fleet.events, searchParams, response);
  else if (pathname === '/metrics') replyText(response, 200, (await fleet.metrics()).trimEnd());
  else if (pathname === '/' && !searchParams.has('scanners'))
    await sendOverviewPage(response, searchParams, fleet.size, (asked) => listOf(fleet, asked));
  else if (gui !== undefined && isGuiPath(pathname)) await sendGui(gui, pathname, response);
  else
    replyText(
      response,
      404,
      'Nothing is here. /scanners lists the scanners, /scanners/SERIAL/ is one of them.',
    );
}

/** @throws Refused */
async function listOf(fleet: WholeFleet, asked: URLSearchParams): Promise<readonly ListedUnit[]> {
  const state = asked.get('state');
  if (state !== null && !listedStates.includes(state))
    throw new Refused(`state: expected one of ${listedStates.join(', ')}, got "${state}"`);
  return fleet.list(asked);
}

/** From programs on this computer alone. */
async function switchPower(
  fleet: WholeFleet,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isFromThisComputer(request)) {
    request.resume();
    replyForbidden(response, 'only programs on the computer of the fleet switch its scanners on and off');
    return;
  }
  replyJson(response, 200, await fleet.power(await bodyOf(request)));
}
