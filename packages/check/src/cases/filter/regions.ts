import { assume, sample } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { eachScan, is, streamCase, unfiltered } from '../stream/stream-case.js';
import { echoesIn, some } from './echoes-in.js';

const place = 'guide: Filter details';
const take = { scans: 3 } as const;
const profile = 'PerformanceProfileNumber';
/** Echoes between 2 and 5 m, and what is needed to tell that they stay. */
const ring = { distance: [2000, 5000] } as const;
const radial = { bEnable: true, ulDistMin: 2000, ulDistMax: 5000 } as const;
/** A rectangle ahead, and the same with the rounding of distances and azimuths. */
const rectangle = {
  bEnable: true,
  lXMin: 500,
  lXMax: 9000,
  lYMin: -2500,
  lYMax: 2500,
  lZMin: -5,
  lZMax: 5,
} as const;
const around = { x: [495, 9005], y: [-2505, 2505] } as const;

/** LFPradialDistanceRangeFilter and LFPcubicareafilter. */
export const regionCases: readonly ConformanceCase[] = [
  streamCase({
    id: 'filter.radial-outside',
    clause:
      'LFPradialDistanceRangeFilter removes the echoes nearer than ulDistMin and further than ulDistMax (mm).',
    ...{ place, level: 'must', names: ['LFPradialDistanceRangeFilter'] },
    steps: [
      sample(
        'scan',
        { ...unfiltered, LFPradialDistanceRangeFilter: radial },
        take,
        eachScan({ outside: is(0) }),
        { region: ring },
      ),
    ],
  }),
  streamCase({
    id: 'filter.radial-inside',
    clause: 'LFPradialDistanceRangeFilter keeps the echoes between its distances.',
    ...{ place, level: 'must', names: ['LFPradialDistanceRangeFilter'] },
    steps: [
      ...echoesIn(ring),
      sample(
        'scan',
        { ...unfiltered, LFPradialDistanceRangeFilter: radial },
        take,
        eachScan({ inside: some }),
        { region: ring },
      ),
    ],
  }),
  streamCase({
    id: 'filter.radial-beams',
    clause: 'Beams whose echoes were removed stay in the scan, with distance and signal strength 0.',
    ...{ place, level: 'must', names: ['LFPradialDistanceRangeFilter', profile] },
    steps: [
      sample(
        'scan',
        { ...unfiltered, LFPradialDistanceRangeFilter: radial },
        take,
        eachScan({ beams: is(829), strengthsWithoutEcho: is(0), gaps: is(0) }),
      ),
    ],
  }),
  streamCase({
    id: 'filter.radial-nothing',
    clause: 'With a minimum above the maximum, no echo is left.',
    place: 'Azimuth: Filters',
    ...{ level: 'informational', names: ['LFPradialDistanceRangeFilter'] },
    steps: [
      sample(
        'scan',
        { ...unfiltered, LFPradialDistanceRangeFilter: { bEnable: true, ulDistMin: 5000, ulDistMax: 2000 } },
        take,
        eachScan({ echoesSeen: is(0) }),
      ),
    ],
  }),
  streamCase({
    id: 'filter.radial-off',
    clause: 'With bEnable false, LFPradialDistanceRangeFilter removes nothing.',
    ...{ place, level: 'must', names: ['LFPradialDistanceRangeFilter'] },
    steps: [
      sample('scan', unfiltered, take, eachScan({}), { region: ring, save: { before: 'scans.0.outside' } }),
      assume('before', { from: 20, to: 100_000 }, 'needs echoes outside of the range of the filter'),
      sample(
        'scan',
        { ...unfiltered, LFPradialDistanceRangeFilter: { ...radial, bEnable: false } },
        take,
        eachScan({ outside: some }),
        { region: ring },
      ),
    ],
  }),
  streamCase({
    id: 'filter.cuboid-outside',
    clause: 'LFPcubicareafilter removes the echoes outside of its rectangle, in mm: x ahead, y to the left.',
    ...{ place, level: 'must', names: ['LFPcubicareafilter'] },
    steps: [
      sample('scan', { ...unfiltered, LFPcubicareafilter: rectangle }, take, eachScan({ outside: is(0) }), {
        region: around,
      }),
    ],
  }),
  streamCase({
    id: 'filter.cuboid-inside',
    clause: 'LFPcubicareafilter keeps the echoes in its rectangle.',
    ...{ place, level: 'must', names: ['LFPcubicareafilter'] },
    steps: [
      ...echoesIn({ x: [505, 8995], y: [-2495, 2495] }),
      sample('scan', { ...unfiltered, LFPcubicareafilter: rectangle }, take, eachScan({ inside: some }), {
        region: around,
      }),
    ],
  }),
  streamCase({
    id: 'filter.cuboid-left',
    clause: 'y points to the left: a rectangle with positive y has no echoes of beams to the right.',
    ...{ place: 'guide: Compact', level: 'must', names: ['LFPcubicareafilter'] },
    steps: [
      sample(
        'scan',
        {
          ...unfiltered,
          LFPcubicareafilter: { ...rectangle, lXMin: -20_000, lXMax: 20_000, lYMin: 10, lYMax: 20_000 },
        },
        take,
        eachScan({ outside: is(0), inside: some }),
        { region: { azimuth: [0, 180] } },
      ),
    ],
  }),
  streamCase({
    id: 'filter.cuboid-z',
    clause: 'lZMin and lZMax have no effect.',
    ...{ place, level: 'must', names: ['LFPcubicareafilter'] },
    steps: [
      ...echoesIn({ x: [505, 8995], y: [-2495, 2495] }),
      sample(
        'scan',
        { ...unfiltered, LFPcubicareafilter: { ...rectangle, lZMin: 100, lZMax: 200 } },
        take,
        eachScan({ inside: some }),
        { region: around },
      ),
    ],
  }),
];
