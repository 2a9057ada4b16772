import type { Members } from './member.js';

/** 400 days in ms: the longest jump of the time of a virtual scanner. */
const longestTime = 400 * 24 * 3_600_000;
const mostOccasions = 1_000_000_000;

/** Members of every fault that decide when it happens. */
export const triggers = {
  at: {
    type: 'number',
    unit: 'ms',
    least: 0,
    most: longestTime,
    default: 0,
    text: 'when it begins: time since the plan was added, or since the start for a plan of `--faults`',
  },
  for: {
    type: 'number',
    unit: 'ms',
    least: 1,
    most: longestTime,
    text: 'how long it lasts; without it, until it is cleared',
  },
  repeat: {
    type: 'number',
    unit: 'ms',
    least: 1,
    most: longestTime,
    text: 'it begins again each time that this has passed since it began',
  },
  after: {
    type: 'number',
    integer: true,
    least: 0,
    most: mostOccasions,
    default: 0,
    text: 'so many occasions pass first',
  },
  first: {
    type: 'number',
    integer: true,
    least: 1,
    most: mostOccasions,
    text: 'only at the first so many occasions, behind those of `after`',
  },
  every: {
    type: 'number',
    integer: true,
    least: 1,
    most: mostOccasions,
    default: 1,
    text: 'only at each occasion of this number: 3 is the third, the sixth, …',
  },
  probability: {
    type: 'number',
    least: 0,
    most: 1,
    default: 1,
    text: 'how likely it is at each of these occasions; the seed of the plan decides',
  },
} as const satisfies Members;
