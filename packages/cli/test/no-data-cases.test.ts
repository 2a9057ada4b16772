import { concurrently } from '@azimuth/async';
import { causes } from '@azimuth/client/timing';
import { allEndpoints } from '@azimuth/model';
import { expect, test } from 'vitest';
import { allChecks } from '../src/doctor/all-checks.js';
import { findingsOf, isFound, noDataCases, type StagedCase, stage } from './no-data-cases.js';

test('there are 30 cases, each with a question, a known cause and a remedy', () => {
  expect(new Set(noDataCases.map(({ id }) => id)).size).toBe(30);
  const known = [...allChecks.map(({ name }) => name), 'answer', ...Object.keys(causes)];
  for (const { id, question, answer } of noDataCases) {
    expect([known, id]).toEqual([expect.arrayContaining([answer.check]), id]);
    expect(question).toMatch(/\?$/);
    expect(answer.remedy).not.toBe('');
    const named = answer.remedy.match(/azimuth (?:set|call|get) (\w+)/)?.[1];
    if (named !== undefined) expect(allEndpoints.map(({ name }) => name)).toContain(named);
  }
});

test('doctor finds the cause in a sample of them; the others are tried with test:long', async () => {
  const sample = ['stream-off', 'port-zero', 'legacy-format', 'area-filter-empty', 'wrong-port'];
  const staged: StagedCase[] = [];
  for (const each of noDataCases.filter(({ id }) => sample.includes(id))) staged.push(await stage(each));
  const found = await concurrently(5, staged, async (each) => isFound(await findingsOf(each), each.answer));
  expect(found).toEqual([true, true, true, true, true]);
});
