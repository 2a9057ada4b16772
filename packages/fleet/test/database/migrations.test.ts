import { type Migration, migrations } from '@azimuth/fleet/database';
import { expect, test } from 'vitest';

/** Statements that remove something that older programs may still use. */
const removing =
  /\b(DROP|RENAME|TRUNCATE|SET NOT NULL|(ALTER|SET DATA) TYPE|REVOKE ALL ON (TABLE|SCHEMA))\b/i;

/** Returns the problems of migrations for programs that run while others are replaced, or that return after a rollback. */
function problemsOf(list: readonly Migration[]): readonly string[] {
  return list.flatMap(({ number, sql, oldestProgram }, index) => {
    const before = list[index - 1]?.oldestProgram ?? 1;
    const problems: string[] = [];
    if (number !== index + 1) problems.push(`${number} stands at place ${index + 1}`);
    if (oldestProgram < before) problems.push(`${number} admits a program that one before has shut out`);
    if (oldestProgram > Math.max(1, number - 1)) problems.push(`${number} suits no program but its own`);
    if (oldestProgram === before && index > 0 && removing.test(sql))
      problems.push(`${number} takes something away, and does not say so`);
    return problems;
  });
}

test('each migration suits the program before it, and says so if it takes something away', () => {
  expect(problemsOf(migrations)).toEqual([]);
});

const first = { number: 1, name: 'first', sql: 'CREATE TABLE azimuth.one ()', oldestProgram: 1 };
const column = 'ALTER TABLE azimuth.one ADD COLUMN more text';

test.each([
  [{ number: 2, sql: column, oldestProgram: 1 }, undefined],
  [{ number: 2, sql: column, oldestProgram: 2 }, '2 suits no program but its own'],
  [{ number: 3, sql: column, oldestProgram: 1 }, '3 stands at place 2'],
  [{ number: 2, sql: column, oldestProgram: 0 }, '2 admits a program that one before has shut out'],
  [{ number: 2, sql: 'DROP TABLE azimuth.one', oldestProgram: 1 }, '2 takes something away'],
  [{ number: 2, sql: 'ALTER TABLE azimuth.one RENAME x TO y', oldestProgram: 1 }, '2 takes something away'],
] as const)('the rule sees %j', (second, fault) => {
  const faults = problemsOf([first, { name: 'second', ...second }]);
  expect(faults.join('\n')).toMatch(fault === undefined ? /^$/ : new RegExp(fault));
});
