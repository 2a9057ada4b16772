import { describe, expect, test } from 'vitest';
import { note, problem, warning } from '../../src/doctor/check.js';
import { type ExaminedScanner, summaryLines } from '../../src/doctor/summary.js';

const off = (behind: string) => problem('the stream is off', `azimuth set ScanDataEnable on${behind}`);

function scanner(label: string, ...findings: ExaminedScanner['findings']): ExaminedScanner {
  return { label, behind: ` --device @${label}`, findings };
}

describe('the findings of several scanners', () => {
  test('are summed by their cause, with the advice once, and then the single ones', () => {
    const lines = summaryLines(
      [
        scanner('gate1', off(' --device @gate1'), note('it is warm')),
        scanner('gate2', warning('the clock is 3 s ahead', 'check the time server')),
        scanner('gate3', off(' --device @gate3'), note('it is warm')),
        scanner('gate4'),
      ],
      " --device '@gate*'",
    );
    expect(lines).toEqual([
      'problem  2 of 4 scanners: the stream is off – azimuth set ScanDataEnable on --device @gate1 --device @gate3',
      '         gate1, gate3',
      'note     2 of 4 scanners: it is warm',
      '         gate1, gate3',
      'warning  gate2: the clock is 3 s ahead – check the time server',
      '4 scanners: 2 with a problem, 1 with a warning, 1 fine',
    ]);
  });

  test('that all have are mended by one command for all', () => {
    const lines = summaryLines(
      [scanner('gate1', off(' --device @gate1')), scanner('gate12', off(' --device @gate12'))],
      " --device '@gate*'",
    );
    expect(lines[0]).toBe(
      "problem  all 2 scanners: the stream is off – azimuth set ScanDataEnable on --device '@gate*'",
    );
  });

  test('are no common cause if their texts differ', () => {
    const lines = summaryLines(
      [scanner('gate1', warning('3 s ahead', '')), scanner('gate2', warning('4 s ahead', ''))],
      '',
    );
    expect(lines.slice(0, 2)).toEqual(['warning  gate1: 3 s ahead', 'warning  gate2: 4 s ahead']);
  });

  test('cut a very long list of names', () => {
    const many = Array.from({ length: 1000 }, (_, index) => scanner(`gate${index}`, note('x')));
    expect(Math.max(...summaryLines(many, '').map(({ length }) => length))).toBeLessThan(1100);
  });
});
