import type { Edition } from '@azimuth/model';
import { dataOf, statusOf } from '@azimuth/test-support/client';
import { type EditionScanner, editions, fewestIn, scannerOf } from '@azimuth/test-support/edition-scanner';
import { expectData } from '@azimuth/test-support/envelope';
import { isObject } from '@azimuth/test-support/json';
import { describe, expect, test } from 'vitest';
import { isFixed, otherValues, variablesOf } from './edition-values.js';

/** What each variable that can be written holds when the scanner leaves the factory, by name, aliases included. */
function factoryValues(edition: Edition): Map<string, unknown> {
  const { release } = edition;
  const values = new Map<string, unknown>();
  for (const variable of variablesOf(edition)) {
    if (variable.facts.write === undefined && variable.facts.factory === undefined) continue;
    for (const name of [variable.name, ...(variable.facts.aliases ?? [])]) {
      values.set(name, variable.factoryValue({ release, createdWith: release }));
    }
  }
  return values;
}

/** The `data` of a read in both forms: under the name and, where it is a struct, its members beside it. */
function bothForms(name: string, value: unknown): unknown {
  return { [name]: value, ...(isObject(value) ? value : {}) };
}

/** Reads all that `values` names, and expects these values in both forms. */
async function expectValues({ client }: EditionScanner, values: ReadonlyMap<string, unknown>): Promise<void> {
  const found: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  for (const [name, value] of values) {
    found[name] = dataOf(await client.get(name));
    expected[name] = bothForms(name, value);
  }
  expect(found).toEqual(expected);
}

describe.each(editions)('a scanner of %s', (_, edition) => {
  const scanner = scannerOf(edition);
  const others = otherValues(edition);

  test('has the factory values of its release', async () => {
    const factory = factoryValues(edition);
    expect(factory.size).toBeGreaterThan(fewestIn(edition, 25));
    await expectValues(scanner(), factory);
  });

  test('accepts another value for every writable variable, and keeps it after saving', async () => {
    const factory = factoryValues(edition);
    const fixed = new Set(
      variablesOf(edition)
        .filter(isFixed)
        .map(({ name }) => name),
    );
    const refused: Record<string, unknown> = {};
    for (const [name, value] of others) {
      if (!fixed.has(name)) expect(value, name).not.toEqual(factory.get(name));
      const status = statusOf(await scanner().client.write(name, value));
      if (status !== 0) refused[name] = status;
    }
    expect(refused).toEqual({});
    await expectValues(scanner(), others);

    expectData(await scanner().client.call('WriteEeprom'), { Success: true });
    expect(await scanner().client.value('PowerOnCnt')).toBe(1);
    await scanner().powerCycle();
    expect(await scanner().client.value('PowerOnCnt')).toBe(2);
    await expectValues(scanner(), others);
  });

  test('returns the written value under every alias', async () => {
    const aliases = variablesOf(edition).flatMap(({ name, facts }) =>
      (facts.aliases ?? []).map((alias) => [alias, others.get(name)] as const),
    );
    await expectValues(scanner(), new Map(aliases));
  });
});
