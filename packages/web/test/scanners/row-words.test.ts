import { expect, test } from 'vitest';
import { ageText, certificateText, clockText, dataText, summaryOf } from '../../src/scanners/row-words.js';

const day = 86_400_000;

test('a list says that none needs you only when all are known', () => {
  const good = { bad: 0, warn: 0, idle: 0, good: 2 };
  expect(summaryOf(2, good)).toBe('2 scanners. None needs you.');
  expect(summaryOf(2, { ...good, good: 1, idle: 1 })).toBe('2 scanners. 1 idle or not known yet.');
  expect(summaryOf(3, { bad: 1, warn: 0, idle: 1, good: 1 })).toBe(
    '1 of 3 scanners needs you. 1 idle or not known yet.',
  );
  expect(summaryOf(3, { bad: 1, warn: 1, idle: 0, good: 1 })).toBe('2 of 3 scanners need you.');
  expect(summaryOf(1, { ...good, good: 1 })).toBe('1 scanner. None needs you.');
});

test('what is not known is empty, and never a sign of waiting', () => {
  expect([clockText(undefined), certificateText(undefined, 0), dataText(undefined)]).toEqual(['', '', '']);
});

test('a clock is right within a second, and otherwise ahead or behind', () => {
  expect([0.4, -0.9, 65, -7300].map(clockText)).toEqual(['right', 'right', '1 min ahead', '2 h behind']);
});

test('a certificate has its days, until it is expired', () => {
  expect([412 * day + 5, day, 0, -1].map((until) => certificateText(until, 0))).toEqual([
    '412 d',
    '24 h',
    'expired',
    'expired',
  ]);
});

test('scan data has its rate, what was promised if it is less, and its loss if there is any', () => {
  expect(dataText({ rate: 15, expectedRate: 15, lossShare: 0 })).toBe('15.0 Hz');
  expect(dataText({ rate: 7.5, expectedRate: 15, lossShare: 0.021 })).toBe('7.5 of 15.0 Hz, 2.1 % lost');
  expect(dataText({ rate: 15, lossShare: 0 })).toBe('15.0 Hz');
});

test('an age is in its greatest unit, and not below zero for a clock that is behind', () => {
  expect([-5000, 40_000, 200_000, 3 * 3_600_000, 12 * day].map(ageText)).toEqual([
    '0 s',
    '40 s',
    '3 min',
    '3 h',
    '12 d',
  ]);
});
