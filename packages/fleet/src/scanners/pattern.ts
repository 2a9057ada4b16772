import type { ScannerFacts } from './scanner-facts.js';

/** What a pattern is compared with. */
export type Named = Pick<ScannerFacts, 'serial' | 'group'>;

/**
 * Says which scanners a pattern means: a serial number, or a part of it with `*`; a group as `hall/*`; `*` for all.
 * A serial number that is no pattern means itself alone.
 */
export function matcherOf(pattern: string): (one: Named) => boolean {
  const [, group] = /^(.+)\/\*$/.exec(pattern) ?? [];
  const fits = fitOf(group ?? pattern);
  return group === undefined ? ({ serial }) => fits(serial) : (one) => fits(one.group);
}

/**
 * Words with `*` for any characters. No regular expression: one with many `.*` takes time that grows exponentially, and patterns
 * come from anybody.
 */
function fitOf(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  // Several of them mean the same as one.
  const parts = rest.filter((part) => part !== '');
  if (last === undefined) return (text) => text === pattern;
  return (text) => {
    if (!text.startsWith(first)) return false;
    let from = first.length;
    for (const part of parts) {
      const at = text.indexOf(part, from);
      if (at < 0) return false;
      from = at + part.length;
    }
    return text.length - last.length >= from && text.endsWith(last);
  };
}
