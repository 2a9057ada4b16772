import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { object, string } from '@azimuth/test-support/json';
import { fetchJson, newest, scannerOf } from '@azimuth/test-support/openapi-scanner';
import { profiles } from '@azimuth/test-support/streams/profiles';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const name = 'PerformanceProfileNumber';

/** The profiles as streams are tested against them, in the columns in which people are told of them. */
const expected = profiles.map(
  ({ number, rate, beamsPerDegree, beams, segments, beamsPerSegment, beamsInLast }) => [
    `${number}`,
    `${rate}`,
    beamsPerDegree === 3 ? '1/3' : `${1 / beamsPerDegree}`,
    `${beams}`,
    `${segments}`,
    `${beamsPerSegment}, the last ${beamsInLast}`,
  ],
);

/** The rows of a table in Markdown that begin with a number. */
function rowsOf(text: string): string[][] {
  return text
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter(([first = '']) => /^\d+$/.test(first));
}

describe('the table of performance profiles', () => {
  const scanner = scannerOf(newest);

  test('has the eleven profiles of the streams', () => {
    expect(expected.map(([number]) => number)).toEqual(
      Array.from({ length: 11 }, (_, index) => `${index + 1}`),
    );
  });

  test('is in the description that a scanner serves', async () => {
    const { components } = object(await fetchJson(`${scanner()}/openapi.json`));
    const { description } = object(object(object(components).schemas)[name]);
    expect(rowsOf(string(description))).toEqual(expected);
    expect(string(description)).toMatch(
      /^Number of the profile\. A profile sets the scan frequency and the angular resolution\. 1 MODE_1, /,
    );
  });

  test('is in docs/interface.md', () => {
    const page = readFileSync(new URL('../../docs/interface.md', import.meta.url), 'utf8');
    const section = page.split(/^### /m).find((part) => part.startsWith(`${name}\n`));
    expect(rowsOf(section ?? '')).toEqual(expected);
  });

  test('is printed by azimuth describe, in columns, and as JSON for machines', () => {
    const describe = (...flags: readonly string[]) =>
      execFileSync(process.execPath, [`${root}packages/cli/bin/azimuth.js`, 'describe', name, ...flags], {
        encoding: 'utf8',
        timeout: 60_000,
      });
    const lines = describe().split('\n');
    const rows = lines.filter((line) => /^\d/.test(line)).map((line) => line.split(/ {2,}/));
    expect(rows).toEqual(expected);
    expect(object(object(JSON.parse(describe('--json'))).values).rows).toEqual(expected);
  });
});
