import { beforeEach, expect, test } from 'vitest';
import { Flood } from '../../src/access/challenges.js';
import { VirtualClock } from '../../src/index.js';

let clock: VirtualClock;
let flood: Flood;

beforeEach(() => {
  clock = new VirtualClock();
  flood = new Flood(clock);
});

function fetch(count: number, name = ''): void {
  for (let index = 0; index < count; index++) flood.fetched(`${name}${clock.monotonic()}-${index}`);
}

test('49 unused challenges are no flood, and 50 are one', () => {
  fetch(49);
  expect(flood.refuses).toBe(false);
  fetch(1, 'last');
  expect(flood.refuses).toBe(true);
});

test('after a flood, challenges are refused for 3 s', () => {
  fetch(50);
  clock.advance(2999);
  expect(flood.refuses).toBe(true);
  clock.advance(1);
  expect(flood.refuses).toBe(false);
});

test('after a flood the count starts again at 0', () => {
  fetch(50);
  clock.advance(3000);
  fetch(49);
  expect(flood.refuses).toBe(false);
  fetch(1, 'last');
  expect(flood.refuses).toBe(true);
});

test('an unused challenge counts for 2 s', () => {
  fetch(25);
  clock.advance(2000);
  fetch(24);
  expect(flood.refuses).toBe(false);
  fetch(1, 'last');
  expect(flood.refuses).toBe(true);
});

test('50 challenges over more than 2 s are no flood', () => {
  for (let index = 0; index < 500; index++) {
    fetch(1);
    clock.advance(41);
    expect(flood.refuses).toBe(false);
  }
});

test('50 challenges in exactly 2 s are a flood', () => {
  for (let index = 0; index < 49; index++) {
    fetch(1);
    clock.advance(40);
  }
  expect(flood.refuses).toBe(false);
  fetch(1);
  expect(flood.refuses).toBe(true);
});

test('used challenges do not count, whatever the number of unused ones', () => {
  fetch(49);
  for (let index = 0; index < 100; index++) {
    flood.fetched(`used ${index}`);
    if (index === 0) expect(flood.refuses).toBe(true);
    flood.used(`used ${index}`);
  }
  clock.advance(3000);
  fetch(48);
  flood.fetched('used');
  flood.used('used');
  fetch(1, 'last');
  expect(flood.refuses).toBe(false);
});
