import type { ServerResponse } from 'node:http';
import { builtInProduct, type Product } from '@azimuth/model';

/** What names the headers of a response. */
export type HeaderNames = Pick<Product, 'headerPrefix'>;

/** Names of responses by scanners of other products. They are looked up for refusals only. */
const named = new WeakMap<ServerResponse, HeaderNames>();

/** Gives the headers of a response the names of a product. */
export function nameHeaders(response: ServerResponse, names: HeaderNames): void {
  named.set(response, names);
}

/** Returns the names of the headers of a response. */
export function headerNamesOf(response: ServerResponse): HeaderNames {
  return named.get(response) ?? builtInProduct;
}

/** Returns true for a header with a detail or a correlation, of any product. @param name in lower case */
export function isNamedHeader(name: string): boolean {
  return /^[a-z][a-z0-9-]*-(?:detail|correlation)$/.test(name);
}
