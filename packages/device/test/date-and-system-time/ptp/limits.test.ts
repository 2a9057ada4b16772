import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  longestInterval,
  longestPathDelay,
  mostForeignMasters,
  mostTimes,
  shortestInterval,
  shortestOffset,
  shortestRequestInterval,
  shortestSelection,
} from '../../../src/date-and-system-time/ptp/limits.js';

const page = readFileSync(new URL('../../../../../docs/limits.md', import.meta.url), 'utf8').replaceAll(
  /\s+/g,
  ' ',
);

test.each([
  `more than ${mostForeignMasters} masters announce themselves`,
  `another one is selected after ${shortestSelection / 1000} s at the earliest`,
  `another one is taken after ${shortestOffset / 1000} s at the earliest`,
  `one request every ${shortestRequestInterval} ms at most`,
  `an interval below 1/${1000 / shortestInterval} s or above ${longestInterval / 1000} s`,
  `put it more than ${longestPathDelay / 1000} s away`,
  `at most one a second of each direction is kept, and at most ${mostTimes}`,
])('docs/limits.md states of PTP: %s', (words) => expect(page).toContain(words));
