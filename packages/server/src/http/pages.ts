import type { ServerResponse } from 'node:http';
import { type Device, Later } from '@azimuth/device';
import { eventsPath, hasEvents, watchPath } from '../events/event-desk.js';
import type { Traffic } from '../metrics/traffic.js';
import { isBrowserFile } from '../openapi/browser-files.js';
import { successBody } from '../rest/envelope.js';
import type { JsonBody } from './json-body.js';
import { reply, replyJson, replyNothing, replyText } from './reply.js';

/** What pages tell of. */
interface Subject {
  readonly device: Device;
  readonly traffic: Traffic;
}

/** Answers a GET outside the interface of the specification. */
export type Page = (subject: Subject, response: ServerResponse) => void | Promise<void>;

/** Stored parameters, as they are sent to all who ask until they change. */
const stored = new WeakMap<object, JsonBody>();

// What few ask for is loaded when somebody does, so that a scanner starts without it.
const description = new Later(() => import('../openapi/document.js'));
const metrics = new Later(() => import('../metrics/page.js'));
const cloud = new Later(() => import('../cloud/page.js'));
const browser = new Later(() => import('../openapi/browser.js'));

const pages: Readonly<Record<string, Page>> = {
  '/healthz': ({ device }, response) =>
    replyJson(response, 200, { status: 'ok', release: device.edition.release }),
  '/x/stored': ({ device }, response) => reply(response, storedOf(device)),
  '/openapi.json': async ({ device }, response) =>
    (await description.loaded()).sendDocument(device.edition, response),
  '/metrics': async ({ device, traffic }, response) =>
    (await metrics.loaded()).sendMetrics(device, traffic, response),
  '/cloud.pcd': async ({ device }, response) => {
    const { recorderOf, sendCloud } = await cloud.loaded();
    await sendCloud(recorderOf(device), response);
  },
  [eventsPath]: ({ device }, response) =>
    hasEvents(device) ? wantWebSocket(response) : replyNothing(response, eventsPath),
  [watchPath]: (_, response) => wantWebSocket(response),
  '/docs': async (_, response) => (await browser.loaded()).sendPage(response),
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

/** What is served at this path beside the interface, if anything is. */
export function pageAt(path: string): Page | undefined {
  return Object.hasOwn(pages, path) ? pages[path] : browserFileAt(path);
}

function wantWebSocket(response: ServerResponse): void {
  response.setHeader('Upgrade', 'websocket');
  replyText(response, 426, 'Events are told over a WebSocket, to a handshake without a body of its own turn');
}

function browserFileAt(path: string): Page | undefined {
  const [, name = ''] = /^\/docs\/(.+)$/s.exec(path) ?? [];
  if (!isBrowserFile(name)) return undefined;
  return async ({ device }, response) =>
    (await browser.loaded()).sendBrowserFile(name, device.edition, response);
}
