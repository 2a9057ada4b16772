import { type ClientRequest, type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { inTime } from '@azimuth/async';
import { maxResponseBytes } from '../../limits.js';
import type { Dial, Exchange, HttpResponse, JsonRequest, ResponseHeaders } from '../exchange.js';
import { textIn } from '../exchange.js';

/** The HTTP statuses that fetch treats as redirects. */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * The exchange of Node, over node:http: loading Node's fetch takes longer than a whole request. The scanner may close
 * a reused connection just when the next request is sent. Then a GET is sent once more over a new connection.
 */
export const exchange: Exchange = (url, request, timeoutMs, dial) => {
  let late = false;
  let sent: ClientRequest | undefined;
  const response = new Promise<HttpResponse>((resolve, reject) => {
    // As in errors of fetch, the reason is in the cause.
    const failed = (cause: unknown) => reject(new TypeError('the request failed', { cause }));
    sent = send();
    function send(agent?: false): ClientRequest {
      const made = clientRequest(url, request, dial, agent);
      let hasResponse = false;
      made.on('error', (error) => {
        const isStale = made.reusedSocket && isReset(error) && !hasResponse && !late;
        if (isStale && request.method === 'GET') sent = send(false);
        else failed(error);
      });
      made.on('response', (response) => {
        hasResponse = true;
        readResponse(response).then(resolve, failed);
      });
      return made.end(request.body);
    }
  });
  return inTime(timeoutMs, response, () => {
    late = true;
    sent?.destroy();
    throw new DOMException('no answer in time', 'TimeoutError');
  });
};

/** @param agent false for a connection of its own */
function clientRequest(
  url: string,
  { method, headers = {} }: JsonRequest,
  dial?: Dial,
  agent?: false,
): ClientRequest {
  const request = url.startsWith('https:') ? overHttps : overHttp;
  return request(url, { ...dial, method, headers, agent });
}

function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE';
}

async function readResponse(response: IncomingMessage): Promise<HttpResponse> {
  const { statusCode = 0, headers } = response;
  if (redirects.has(statusCode)) {
    response.destroy();
    throw new Error('unexpected redirect');
  }
  const text = await textIn(response, maxResponseBytes);
  return { httpStatus: statusCode, headers: readable(headers), text };
}

function readable(headers: NodeJS.Dict<string | string[]>): ResponseHeaders {
  return {
    get: (name) => {
      const value = headers[name.toLowerCase()];
      return value === undefined ? null : String(value);
    },
    keys: () => Object.keys(headers),
  };
}
