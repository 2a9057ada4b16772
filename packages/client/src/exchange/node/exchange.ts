import { type ClientRequest, type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { inTime } from '@azimuth/async';
import { longestReply } from '../../limits.js';
import type { AnswerHeaders, Exchange, JsonRequest, Reply } from '../exchange.js';
import { textIn } from '../exchange.js';

/** The statuses that fetch counts as redirects. */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Of Node. To load its fetch takes longer than a whole request over node:http.
 *
 * A kept connection may be closed by the scanner just when it is used again. A GET is sent once more then, over a new one.
 */
export const exchange: Exchange = (url, request, timeoutMs) => {
  let late = false;
  let sent: ClientRequest | undefined;
  const answer = new Promise<Reply>((resolve, reject) => {
    // As fetch does: what happened is in the cause.
    const failed = (cause: unknown) => reject(new TypeError('the request failed', { cause }));
    sent = send();
    function send(agent?: false): ClientRequest {
      const made = requestOf(url, request, agent);
      let answered = false;
      made.on('error', (error) => {
        const isStale = made.reusedSocket && isReset(error) && !answered && !late;
        if (isStale && request.method === 'GET') sent = send(false);
        else failed(error);
      });
      made.on('response', (response) => {
        answered = true;
        replyOf(response).then(resolve, failed);
      });
      return made.end(request.body);
    }
  });
  return inTime(timeoutMs, answer, () => {
    late = true;
    sent?.destroy();
    throw new DOMException('no answer in time', 'TimeoutError');
  });
};

/** @param agent false for a connection of its own */
function requestOf(url: string, { method, headers = {} }: JsonRequest, agent?: false): ClientRequest {
  const request = url.startsWith('https:') ? overHttps : overHttp;
  return request(url, { method, headers, agent });
}

function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE';
}

async function replyOf(response: IncomingMessage): Promise<Reply> {
  const { statusCode = 0, headers } = response;
  if (redirects.has(statusCode)) {
    response.destroy();
    throw new Error('unexpected redirect');
  }
  const text = await textIn(response, longestReply);
  return { httpStatus: statusCode, headers: readable(headers), text };
}

function readable(headers: NodeJS.Dict<string | string[]>): AnswerHeaders {
  return {
    get: (name) => {
      const value = headers[name.toLowerCase()];
      return value === undefined ? null : String(value);
    },
  };
}
