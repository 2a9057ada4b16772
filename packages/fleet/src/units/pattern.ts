import type { UnitFacts } from './unit-facts.js';

/** What a pattern is compared with. */
export type Named = Pick<UnitFacts, 'serial' | 'group'>;

/**
 * Says which scanners a pattern means: a serial number, or a part of it with `*`; a group as `hall/*`; `*` for all.
 * A serial number that is no pattern means itself alone.
 */
export function matcherOf(pattern: string): (one: Named) => boolean {
  const [, group] = /^(.+)\/\*$/.exec(pattern) ?? [];
  const fits = expressionOf(group ?? pattern);
  return group === undefined ? ({ serial }) => fits.test(serial) : (one) => fits.test(one.group);
}

/** Words with `*` for any characters. */
function expressionOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}
