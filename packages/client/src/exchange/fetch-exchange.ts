import { maxResponseBytes } from '../limits.js';
import type { Exchange } from './exchange.js';
import { bodyPieces, textIn } from './exchange.js';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Calls the platform's fetch as a function of the global object, which it requires. */
export function globalFetch(url: string, init: RequestInit): Promise<Response> {
  return globalThis.fetch(url, init);
}

/** Returns an exchange over this fetch. */
export function exchangeOver(fetch: Fetch): Exchange {
  return async (url, request, timeoutMs) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { ...request, redirect: 'error', signal });
    const text = await textIn(bodyPieces(response.body), maxResponseBytes);
    return { httpStatus: response.status, headers: response.headers, text };
  };
}

/** The exchange of browsers. */
export const exchange: Exchange = exchangeOver(globalFetch);
