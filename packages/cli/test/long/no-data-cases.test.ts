import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { concurrently } from '@azimuth/async';
import { expect, test } from 'vitest';
import { findingsOf, isFound, noDataCases, type StagedCase, stage } from '../no-data-cases.js';

/** Scanners that measure at the same time: each takes a part of a core. */
const atOnce = 6;

const ofDoctor = noDataCases.filter(({ answer }) => answer.command === 'doctor');
const ofTiming = noDataCases.filter(({ answer }) => answer.command === 'timing');
const healthy = {
  id: 'healthy',
  question: '',
  stage: {},
  answer: { command: 'doctor', check: '', text: '', remedy: '' },
} as const;

const groups = Array.from({ length: Math.ceil(ofDoctor.length / atOnce) }, (_, index) =>
  ofDoctor.slice(index * atOnce, (index + 1) * atOnce),
);

test.each(groups.map((group) => [group.map(({ id }) => id).join(', '), group] as const))(
  'azimuth doctor finds the cause of %s',
  async (_, group) => {
    const staged: StagedCase[] = [];
    for (const each of group) staged.push(await stage(each));
    const wrong = await concurrently(atOnce, staged, async (each) => {
      const findings = await findingsOf(each);
      return isFound(findings, each.answer) ? [] : [{ id: each.id, findings }];
    });
    expect(wrong.flat()).toEqual([]);
  },
);

test.each(ofTiming.map((each) => [each.id, each] as const))(
  'azimuth timing finds the cause of %s',
  async (_, each) => {
    const findings = await findingsOf(await stage(each));
    expect(isFound(findings, each.answer), JSON.stringify(findings)).toBe(true);
  },
);

test.each(['port-zero', 'locked'])('the script of the example stages %s, and finds its cause', async (id) => {
  const script = fileURLToPath(new URL('../../../../examples/no-data-cases/stage.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, id, '--check']);
  const [staged = '', answer = ''] = stdout.split('\n');
  expect(JSON.parse(staged)).toMatchObject({ device: expect.any(String), question: expect.any(String) });
  expect(JSON.parse(answer)).toEqual({ found: expect.any(String) });
});

test('a scanner whose data arrives has none of these findings', async () => {
  const findings = await findingsOf(await stage(healthy));
  const found = ofDoctor.filter(({ answer }) => isFound(findings, answer));
  expect(found.map(({ id }) => id)).toEqual(['nobody-listens']);
});
