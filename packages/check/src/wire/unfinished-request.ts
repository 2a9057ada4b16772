import { type ClientRequest, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { inTime } from '@azimuth/async';
import { bareHost, type HttpAnswer, type HttpRequest, NoAnswer, readAnswer } from './http-exchange.js';

/**
 * Sends a request that announces a body and sends none of it, over a connection of its own.
 * @param origin `http(s)://HOST:PORT`
 * @returns the answer; undefined if none comes in this many ms of this computer
 * @throws NoAnswer if the connection fails
 */
export async function sentUnfinished(
  origin: string,
  { method, path, headers }: HttpRequest,
  milliseconds: number,
): Promise<HttpAnswer | undefined> {
  const { hostname, port, protocol } = new URL(origin);
  let sent: ClientRequest | undefined;
  const answer = new Promise<HttpAnswer>((resolve, reject) => {
    const send = protocol === 'https:' ? overHttps : overHttp;
    const host = bareHost(hostname);
    sent = send({ hostname: host, port, path, method, headers, agent: false, rejectUnauthorized: false });
    sent.on('error', (error) => reject(new NoAnswer(`the connection failed (${error.message})`)));
    sent.on('response', (response) => readAnswer(response).then(resolve, reject));
    sent.flushHeaders();
  });
  try {
    return await inTime(milliseconds, answer, () => undefined);
  } finally {
    sent?.destroy();
  }
}
