import type { Declaration } from '../declaration.js';
import type { Marks } from './document.js';

/** The releases between which an endpoint exists, where it is not in all of them. */
export function lifetime(declaration: Declaration): Marks {
  const { since, until } = declaration.facts;
  return {
    ...(since === undefined ? {} : { 'x-since': since }),
    ...(until === undefined ? {} : { 'x-until': until }),
  };
}
