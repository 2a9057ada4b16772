import type { Area } from '../case.js';
import { contourCases } from './contours.js';
import { detectingCases } from './detecting.js';
import { groupCases } from './groups.js';
import { historyCases } from './history.js';
import { limitCases } from './limits.js';
import { optionCases } from './options.js';
import { refusalCases } from './refusals.js';

/** Fields, their evaluation, groups and history. */
export const fieldArea: Area = {
  name: 'field',
  title: 'Field evaluation and detection history',
  cases: () => [
    ...contourCases,
    ...groupCases,
    ...limitCases,
    ...refusalCases,
    ...detectingCases,
    ...optionCases,
    ...historyCases,
  ],
};
