import { describe, expect, test } from 'vitest';
import { problem } from '../../src/doctor/check.js';
import { fixesOffered } from '../../src/doctor/fixes.js';

const on = { question: 'Switch it on?', acts: [{ write: 'ScanDataEnable', value: true }] };
const start = { question: 'Start?', acts: [{ call: 'mStartMeasure' }] };

function scannerThat(response: unknown) {
  const done: unknown[] = [];
  const scanner = {
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
});
