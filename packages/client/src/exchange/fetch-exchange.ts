import { longestReply } from '../limits.js';
import type { Exchange } from './exchange.js';
import { piecesOf, textIn } from './exchange.js';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The platform's own, called as it wants to be called: as a function of the global object. */
export function platformFetch(url: string, init: RequestInit): Promise<Response> {
  return globalThis.fetch(url, init);
}

/** Exchanges over this fetch. */
export function exchangeOver(fetch: Fetch): Exchange {
  return async (url, request, timeoutMs) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { ...request, redirect: 'error', signal });
    const text = await textIn(piecesOf(response.body), longestReply);
    return { httpStatus: response.status, headers: response.headers, text };
  };
}

/** Of browsers. */
export const exchange: Exchange = exchangeOver(platformFetch);
