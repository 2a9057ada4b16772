import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Device } from '@azimuth/device';
import {
  isGuiPath,
  type JsonBody,
  respond,
  respondJson,
  respondNotFound,
  respondText,
  sendGui,
} from '@azimuth/http';
import { changesPath, eventsPath, scanPath } from '@azimuth/model';
import { hasEvents } from '../events/event-server.js';
import type { Metrics } from '../metrics/metrics.js';
import { successBody } from '../rest/response-bodies.js';
import { restPath } from '../rest/rest-interface.js';
import { isBrowserFile, sendBrowserFile, sendDocument, sendPage } from './docs.js';
import { recorderOf, sendCloud } from './point-cloud.js';

/** Methods of pages outside the interface, and of the server as a whole (`OPTIONS *`). */
const verbsOfPages = 'GET, HEAD, OPTIONS';
const verbsOfAll = 'GET, HEAD, POST, OPTIONS';

/**
 * Returns the page for a request outside the interface; undefined if a response has been sent already.
 * @param pageAt the pages that the scanner has
 */
export function pageFor(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  pageAt: PageTable,
): Page | undefined {
  const { method } = request;
  if (method === 'OPTIONS' && path === '*') return respondAllow(response, verbsOfAll);
  if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') {
    response.setHeader('Allow', verbsOfPages);
    respondText(response, 405, `Only GET is answered here; the interface is under ${restPath}`);
    return undefined;
  }
  const page = pageAt(path);
  if (page === undefined) {
    respondNotFound(response, path);
    return undefined;
  }
  return method === 'OPTIONS' ? respondAllow(response, verbsOfPages) : page;
}

function respondAllow(response: ServerResponse, verbs: string): undefined {
  response.writeHead(204, { Allow: verbs });
  response.end();
}

/** Sources of pages. */
interface Subject {
  readonly device: Device;
  readonly metrics: Metrics;
}

/** Responds to a GET outside the interface of the specification. */
export type Page = (subject: Subject, response: ServerResponse) => void | Promise<void>;

/** Returns the page at a path outside the interface; undefined if there is none. */
export type PageTable = (path: string) => Page | undefined;

/** Stored parameters as JSON, cached until they change. */
const stored = new WeakMap<object, JsonBody>();

/** Pages that devices have, too. */
const pagesOfDevices: Readonly<Record<string, Page>> = {
  '/cloud.pcd': ({ device }, response) => sendCloud(recorderOf(device), response),
  [eventsPath]: ({ device }, response) =>
    hasEvents(device) ? requireWebSocket(response) : respondNotFound(response, eventsPath),
};

/** Pages that devices do not have, besides the parts of `/docs` and the GUI. */
export const ownPages: Readonly<Record<string, Page>> = {
  '/healthz': ({ device }, response) => {
    const { release, version } = device.served.edition;
    return respondJson(response, 200, { status: 'ok', release: version ?? release });
  },
  '/x/stored': ({ device }, response) => respond(response, storedOf(device)),
  '/openapi.json': ({ device }, response) => sendDocument('openapi.json', device.served.edition, response),
  '/asyncapi.json': ({ device }, response) => sendDocument('asyncapi.json', device.served.edition, response),
  '/metrics': ({ metrics }, response) => metrics.send(response),
  [changesPath]: (_, response) => requireWebSocket(response),
  [scanPath]: (_, response) => requireWebSocket(response),
  '/docs': (_, response) => sendPage(response),
};

function storedOf(device: Device): JsonBody {
  const { storedSet } = device.parameters;
  let body = stored.get(storedSet);
  if (body === undefined) {
    body = successBody({ data: storedSet });
    stored.set(storedSet, body);
  }
  return body;
}

/** Pages of a scanner that has only what devices have. */
export function pageOfDeviceAt(path: string): Page | undefined {
  return Object.hasOwn(pagesOfDevices, path) ? pagesOfDevices[path] : undefined;
}

/**
 * Returns all pages of a virtual scanner.
 * @param gui the folder of the GUI; undefined for a scanner without one
 */
export function allPages(gui: string | undefined): PageTable {
  return (path) =>
    pageOfDeviceAt(path) ??
    (Object.hasOwn(ownPages, path) ? ownPages[path] : (browserFileAt(path) ?? guiPageAt(path, gui)));
}

function guiPageAt(path: string, folder: string | undefined): Page | undefined {
  if (folder === undefined || !isGuiPath(path)) return undefined;
  return (_, response) => sendGui(folder, path, response);
}

function requireWebSocket(response: ServerResponse): void {
  response.setHeader('Upgrade', 'websocket');
  respondText(response, 426, 'This path needs a WebSocket handshake without a body');
}

function browserFileAt(path: string): Page | undefined {
  const [, name = ''] = /^\/docs\/(.+)$/s.exec(path) ?? [];
  if (!isBrowserFile(name)) return undefined;
  return ({ device }, response) => sendBrowserFile(name, device.served.edition, response);
}
