import type { IncomingMessage, ServerResponse } from 'node:http';
import { restPath } from '../rest/rest-interface.js';
import { type Page, pageAt } from './pages.js';
import { replyNothing, replyText } from './reply.js';

/** What pages beside the interface can be asked, and what the scanner as a whole can (`OPTIONS *`). */
const verbsOfPages = 'GET, HEAD, OPTIONS';
const verbsOfAll = 'GET, HEAD, POST, OPTIONS';

/** The page that a request beside the interface is for; undefined where it has been answered without one. */
export function pageFor(path: string, request: IncomingMessage, response: ServerResponse): Page | undefined {
  const { method } = request;
  if (method === 'OPTIONS' && path === '*') return tellVerbs(response, verbsOfAll);
  if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') {
    response.setHeader('Allow', verbsOfPages);
    replyText(response, 405, `Only GET is answered here; the interface is under ${restPath}`);
    return undefined;
  }
  const page = pageAt(path);
  if (page === undefined) {
    replyNothing(response, path);
    return undefined;
  }
  return method === 'OPTIONS' ? tellVerbs(response, verbsOfPages) : page;
}

function tellVerbs(response: ServerResponse, verbs: string): undefined {
  response.writeHead(204, { Allow: verbs });
  response.end();
}
