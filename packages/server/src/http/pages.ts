import type { ServerResponse } from 'node:http';
import type { Device } from '@azimuth/device';
import { isBrowserFile } from '../openapi/browser-files.js';
import { successBody } from '../rest/envelope.js';
import { reply, replyJson } from './reply.js';

/** Answers a GET outside the interface of the specification. */
export type Page = (device: Device, response: ServerResponse) => void | Promise<void>;

// What few ask for is loaded when somebody does, so that a scanner starts without it.
const pages: Readonly<Record<string, Page>> = {
  '/healthz': ({ edition }, response) => replyJson(response, 200, { status: 'ok', release: edition.release }),
  '/x/stored': ({ parameters }, response) =>
    reply(response, successBody({ data: parameters.layer('stored') })),
  '/openapi.json': async ({ edition }, response) =>
    (await import('../openapi/document.js')).sendDocument(edition, response),
  '/docs': async (_, response) => (await import('../openapi/browser.js')).sendPage(response),
};

/** What is served at this path beside the interface, if anything is. */
export function pageAt(path: string): Page | undefined {
  return Object.hasOwn(pages, path) ? pages[path] : browserFileAt(path);
}

function browserFileAt(path: string): Page | undefined {
  const [, name = ''] = /^\/docs\/([^/]+)$/.exec(path) ?? [];
  if (!isBrowserFile(name)) return undefined;
  return async (_, response) => (await import('../openapi/browser.js')).sendBrowserFile(name, response);
}
