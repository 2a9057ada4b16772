import type { ServerResponse } from 'node:http';
import { builtInProduct, correlationHeaderOf, detailHeaderOf } from '@azimuth/model';

/** What names the headers of a response. Responses without a prefix have none of the own headers. */
export interface HeaderNames {
  readonly headerPrefix: string | undefined;
}

/** Names of the headers that responses have beside those of HTTP. */
export interface OwnHeaders {
  /** The place and the reason of a refusal. */
  readonly detail: string;
  /** Identifies the log line about a request. */
  readonly correlation: string;
}

/** A response holds the names of its headers, unless they are those of the built-in product. */
const ownNames = Symbol('names of own headers');
type NamedResponse = ServerResponse & { [ownNames]?: HeaderNames };

/** Gives the headers of a response the names of a product. */
export function nameHeaders(response: NamedResponse, names: HeaderNames): void {
  if (namesOf(response) !== names) response[ownNames] = names;
}

function namesOf(response: NamedResponse): HeaderNames {
  return response[ownNames] ?? builtInProduct;
}

/** Returns the names of the own headers of a response; undefined if it has none. */
export function ownHeadersOf(response: ServerResponse): OwnHeaders | undefined {
  return ownHeadersNamed(namesOf(response));
}

/** Returns the own headers with these names; undefined for a port that has none. */
export function ownHeadersNamed({ headerPrefix }: HeaderNames): OwnHeaders | undefined {
  if (headerPrefix === undefined) return undefined;
  const prefixed = { headerPrefix };
  return { detail: detailHeaderOf(prefixed), correlation: correlationHeaderOf(prefixed) };
}

/** Returns true for a header with a detail or a correlation, of any product. @param name in lower case */
export function isNamedHeader(name: string): boolean {
  return /^[a-z][a-z0-9-]*-(?:detail|correlation)$/.test(name);
}
