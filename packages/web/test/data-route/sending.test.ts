import { expect, test } from 'vitest';
import { sendingOf } from '../../src/data-route/sending.js';

function look(at: number, telegrams: number, refused = 0, lost = 0) {
  return { sent: { telegrams, refused, lost, down: undefined }, at };
}

test('the rate is what was sent between two looks', () => {
  expect(sendingOf(look(3000, 1300), look(1000, 1000))).toMatchObject({ rate: 150, isRefused: false });
});

test('telegrams are refused, or lost, only if more were since the look before', () => {
  expect(sendingOf(look(2000, 200, 9), look(0, 100, 9))).toMatchObject({ isRefused: false, isLosing: false });
  expect(sendingOf(look(2000, 200, 10, 1), look(0, 100, 9, 0))).toMatchObject({
    isRefused: true,
    isLosing: true,
  });
});

test('the first look, and the first one after a restart, know no rate', () => {
  expect(sendingOf(look(2000, 200, 3), undefined)).toMatchObject({ rate: undefined, isRefused: false });
  expect(sendingOf(look(4000, 20, 5), look(2000, 200, 3))).toMatchObject({
    rate: undefined,
    isRefused: false,
  });
});
