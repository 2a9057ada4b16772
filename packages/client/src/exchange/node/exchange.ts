import { type ClientRequest, type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { longestReply } from '../../limits.js';
import type { AnswerHeaders, Exchange, Reply } from '../exchange.js';
import { textIn } from '../limited-body.js';

/** The statuses that fetch counts as redirects. */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Of Node. To load its fetch takes longer than a whole request over node:http. */
export const exchange: Exchange = (url, { method, headers = {}, body }, timeoutMs) =>
  new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? overHttps : overHttp;
    const sent: ClientRequest = request(url, { method, headers });
    const timer = setTimeout(() => {
      reject(new DOMException('no answer in time', 'TimeoutError'));
      sent.destroy();
    }, timeoutMs);
    const failed = (cause: unknown) => {
      clearTimeout(timer);
      // As fetch does: what happened is in the cause.
      reject(new TypeError('the request failed', { cause }));
    };
    sent.on('error', failed);
    sent.on('response', (response) => {
      replyOf(response).then((reply) => {
        clearTimeout(timer);
        resolve(reply);
      }, failed);
    });
    sent.end(body);
  });

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
