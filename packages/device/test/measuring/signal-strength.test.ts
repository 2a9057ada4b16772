import { expect, test } from 'vitest';
import { EchoFlag, roundStrengths, strengthStep } from '../../src/scan/scan.js';
import { echoesOf, scanOf } from '../filter/hand-made-scan.js';

/** The rounded strength of an echo with this strength and these flags. */
function rounded(strength: number, flags = 0, marksReflectors = true): number | undefined {
  const scan = scanOf([[[2000, strength, flags]]]);
  roundStrengths(scan, marksReflectors);
  return echoesOf(scan)[0]?.[0]?.[1];
}

test('the strength of an echo is the nearest multiple of 257, from 1 to 253 times', () => {
  for (let strength = 1; strength <= 65_535; strength++) {
    const step = Math.min(Math.max(Math.round(strength / 257), 1), 253);
    if (rounded(strength) !== 257 * step)
      expect([strength, rounded(strength)]).toEqual([strength, 257 * step]);
  }
  expect(rounded(58_982)).toBe(0xe6e6);
});

test('the strength of an echo of a reflector is 254 times, whatever it is', () => {
  const strengths = [1, 30_000, 65_535].map((strength) => rounded(strength, EchoFlag.reflector));
  expect(strengths).toEqual([0xfefe, 0xfefe, 0xfefe]);
  expect(rounded(65_535, EchoFlag.blooming)).toBe(0xfdfd);
});

test('a release that does not mark reflectors gives them a strength like any other', () => {
  const strengths = [30_000, 65_535].map((strength) => rounded(strength, EchoFlag.reflector, false));
  expect(strengths).toEqual([257 * 117, 0xfdfd]);
});

test('a strength that is not known stays so, and no echo has none', () => {
  const scan = scanOf([
    [
      [2000, 0],
      [3000, 500],
    ],
    [],
  ]);
  roundStrengths(scan, true);
  expect([...scan.rssi]).toEqual([0, 514, 0, 0, 0, 0]);
});

test('what has been rounded stays as it is', () => {
  for (let step = 1; step <= 253; step++) expect(rounded(257 * step)).toBe(257 * step);
});

test('in 8 bits it is the number of times', () => {
  expect([0, 257, 257 * 57, 257 * 254].map(strengthStep)).toEqual([0, 1, 57, 254]);
});
