import type { Declaration } from './declaration.js';

/** Does a part of the interface have all the words that were typed, in its name, its group or its description? */
export function mentions({ name, group, facts }: Declaration, typed: string): boolean {
  const content = `${name} ${group} ${facts.text}`.toLowerCase();
  return typed
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .every((word) => content.includes(word));
}
