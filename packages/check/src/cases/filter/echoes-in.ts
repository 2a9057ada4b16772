import type { Matcher } from '../../match/matcher.js';
import { assume, sample } from '../../steps/index.js';
import { eachScan, unfiltered } from '../stream/stream-case.js';

const take = { scans: 3 } as const;
/** At least one. */
export const some: Matcher = { from: 1, to: 100_000 };
const needsEchoes = 'needs echoes in the range of the filter';
/** Steps that verify that there are echoes in a region without the filter. */
export const echoesIn = (region: NonNullable<Parameters<typeof sample>[4]>['region']) => [
  sample('scan', unfiltered, take, eachScan({}), {
    ...(region && { region }),
    save: { inside: 'scans.0.inside' },
  }),
  assume('inside', { from: 20, to: 100_000 }, needsEchoes),
];
