import type { Area } from '../case.js';
import { angleCases } from './angle-range.js';
import { averageCases } from './average.js';
import { echoCases } from './echoes.js';
import { intervalCases } from './interval.js';
import { regionCases } from './regions.js';
import { threeEchoCases } from './three-echoes.js';

/** Filters, as the stream of scan data shows them. */
export const filterArea: Area = {
  name: 'filter',
  title: 'Filters on the wire',
  cases: () => [
    ...echoCases,
    ...angleCases,
    ...intervalCases,
    ...regionCases,
    ...averageCases,
    ...threeEchoCases,
  ],
};
