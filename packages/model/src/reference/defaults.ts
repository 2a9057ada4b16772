import type { Variable } from '../declaration.js';
import { isFrom, type Release, releases } from '../release.js';
import { shownValue } from './members.js';

/** One factory value, and when a scanner has it. */
export interface FactoryValue {
  readonly when: string;
  readonly value: string;
}

interface Case {
  readonly release: Release;
  readonly createdWith: Release;
  readonly value: string;
}

/** The factory values of a variable by release; none where it has the same one always. */
export function factoryValues(variable: Variable<unknown>): FactoryValue[] {
  const cases = casesOf(variable);
  const values = [...new Set(cases.map(({ value }) => value))];
  if (values.length < 2) return [];
  const key = decides(cases, 'release') ? 'release' : 'createdWith';
  if (!decides(cases, key)) throw new TypeError(`${variable.name}: both releases decide about its default`);
  const what = key === 'release' ? 'runs' : 'was delivered with';
  return values.map((value) => {
    const those = releases.filter((name) => cases.some((one) => one[key] === name && one.value === value));
    return { when: `${what} ${those.join(', ')}`, value };
  });
}

/** Every pair of a release and one that it may have been delivered with. */
function casesOf(variable: Variable<unknown>): Case[] {
  const running = releases.filter((release) =>
    variable.isIn({ release, variant: variable.variant ?? 'full' }),
  );
  return running.flatMap((release) =>
    releases
      .filter((createdWith) => isFrom(release, createdWith))
      .map((createdWith) => ({
        release,
        createdWith,
        value: shownValue(variable.factoryValue({ release, createdWith })),
      })),
  );
}

function decides(cases: readonly Case[], key: 'release' | 'createdWith'): boolean {
  return cases.every((one) => cases.every((other) => one[key] !== other[key] || one.value === other.value));
}
