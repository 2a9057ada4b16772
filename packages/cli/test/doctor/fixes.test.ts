import { describe, expect, test } from 'vitest';
import { problem } from '../../src/doctor/check.js';
import { fixesOffered } from '../../src/doctor/fixes.js';

const on = { question: 'Switch it on?', acts: [{ write: 'ScanDataEnable', value: true }] };
const start = { question: 'Start?', acts: [{ call: 'mStartMeasure' }] };

function scannerThat(response: unknown, values: Readonly<Record<string, unknown>> = {}) {
  const done: unknown[] = [];
  const scanner = {
    readAny: async (name: string) => values[name],
    writeAny: async (...act: unknown[]) => void done.push(act),
    callAny: async (...act: unknown[]) => {
      done.push(act);
      return response;
    },
  };
  return { done, logIn: async () => scanner };
}

describe('fixes', () => {
  test('are asked one by one, and only what is agreed to is done', async () => {
    const { done, logIn } = scannerThat({ ErrorCode: 0 });
    const questions: string[] = [];
    const agrees = async (question: string) => questions.push(question) === 2;
    const findings = [
      problem('off', '', on),
      problem('no remedy', ''),
      problem('off too', '', on),
      problem('x', '', start),
    ];
    const fixed = await fixesOffered(findings, agrees, logIn);
    expect(questions).toEqual(['Switch it on?', 'Start?']);
    expect(done).toEqual([['mStartMeasure', undefined]]);
    expect(fixed.map((each) => each.done)).toEqual([false, true]);
  });

  test('nobody logs in if nothing is agreed to', async () => {
    const fails = () => Promise.reject(new Error('logged in'));
    await expect(fixesOffered([problem('off', '', on)], async () => false, fails)).resolves.toHaveLength(1);
  });

  test('that the scanner refuses are reported', async () => {
    const { logIn } = scannerThat({ ErrorCode: 1 });
    await expect(fixesOffered([problem('x', '', start)], async () => true, logIn)).rejects.toThrow('refused');
  });

  const there = { Protocol: 1, IPAddress: [10, 0, 0, 1], Port: 2115 };
  const moves = (members: Readonly<Record<string, unknown>>) => ({
    question: 'Change it?',
    acts: [{ write: 'ScanDataEthSettings', members }],
  });

  test('write only what changes: the other members stay as they are then', async () => {
    const { done, logIn } = scannerThat({}, { ScanDataEthSettings: there });
    await fixesOffered([problem('x', '', moves({ Port: 7 }))], async () => true, logIn);
    expect(done).toEqual([['ScanDataEthSettings', { ...there, Port: 7 }]]);
  });

  test('never write a value that is there already', async () => {
    const values = { ScanDataEthSettings: there, ScanDataEnable: true };
    const { done, logIn } = scannerThat({}, values);
    const findings = [
      problem('x', '', moves({ Port: 2115, IPAddress: [10, 0, 0, 1] })),
      problem('y', '', on),
    ];
    const fixed = await fixesOffered(findings, async () => true, logIn);
    expect(done).toEqual([]);
    expect(fixed.map((each) => each.done)).toEqual([true, true]);
  });

  test('that set a clock set it to the time at which the person agrees', async () => {
    const { done, logIn } = scannerThat({});
    const times: Date[] = [];
    const requestAt = (now: Date) => times.push(now);
    const agreedAt: number[] = [];
    const agrees = async () => agreedAt.push(Date.now()) > 0;
    await fixesOffered(
      [problem('x', '', { question: '?', acts: [{ call: 'X', requestAt }] })],
      agrees,
      logIn,
    );
    expect(done).toEqual([['X', 1]]);
    expect(times[0]?.getTime()).toBeGreaterThanOrEqual(agreedAt[0] ?? Number.NaN);
  });
});
