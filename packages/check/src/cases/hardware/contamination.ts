import { call, pause } from '../../steps/index.js';
import type { Area, ConformanceCase } from '../case.js';
import { numbered, soon } from '../value-steps.js';
import { strategyCases } from './contamination-strategies.js';
import {
  blocked,
  clean,
  data,
  detects,
  dirt,
  dirty,
  each,
  responded,
  result,
  Sector,
  seen,
} from './dirt-steps.js';

const guide = 'guide: Contamination indication';
const decided = 'Azimuth: contamination';

const sectors: readonly ConformanceCase[] = [
  {
    id: 'contamination.seven-sectors',
    clause: 'ContaminationData has one item for each of the seven sectors of the front screen.',
    place: guide,
    level: 'must',
    stage: 'read',
    names: ['ContaminationData'],
    steps: [data({ items: { from: 0, to: 3 }, atLeast: 7, atMost: 7 })],
  },
  {
    ...seen,
    id: 'contamination.off',
    clause:
      'While the strategy is 0, no sector is watched: each reads 0, and there is no warning and no error.',
    steps: [dirt(dirty), detects({ eStrategy: 0 }), responded, data(each(Sector.none)), result(false, false)],
  },
  {
    ...seen,
    id: 'contamination.clean',
    clause: 'Sectors without dirt read 1, clean.',
    steps: [clean, detects(), responded, data(each(Sector.clean)), result(false, false)],
  },
  {
    ...seen,
    id: 'contamination.order',
    clause: 'Sectors are counted counter-clockwise from -138°: the first item is the rightmost sector.',
    steps: [
      clean,
      detects(),
      dirt(dirty, 1),
      responded,
      data({ begins: [{ is: Sector.error }, { is: Sector.clean }] }),
      dirt(0, 1),
      dirt(dirty, 7),
      responded,
      data({ begins: [{ is: Sector.clean }, { present: true }] }),
      data(numbered(7, { is: Sector.error })),
    ],
  },
  {
    ...seen,
    id: 'contamination.response-time',
    clause: 'Dirt counts once it has lasted for the response time, and not before.',
    steps: [
      clean,
      detects({ usiResponseTime: 10 }),
      dirt(dirty),
      pause(8),
      data(each(Sector.clean)),
      pause(4),
      data(each(Sector.error)),
    ],
  },
  {
    ...seen,
    id: 'contamination.short-dirt',
    clause: 'Dirt that is gone before the response time ends does not count.',
    steps: [
      clean,
      detects({ usiResponseTime: 5 }),
      dirt(dirty),
      pause(4),
      clean,
      pause(4),
      data(each(Sector.clean)),
    ],
  },
  {
    ...seen,
    id: 'contamination.blocked',
    clause: 'A blocked sector reads 0.',
    steps: [
      clean,
      detects(),
      dirt(blocked, 4),
      responded,
      data(numbered(4, { is: Sector.none })),
      data(numbered(3, { is: Sector.clean })),
    ],
  },
  {
    ...seen,
    id: 'contamination.stopped',
    clause: 'While nothing is measured, sectors read clean, and there is no error.',
    names: [...seen.names, 'mStopMeasure'],
    steps: [
      clean,
      detects(),
      dirt(dirty),
      responded,
      result(true, true),
      call('mStopMeasure', undefined),
      soon(data(each(Sector.clean)), 1),
      result(false, false),
    ],
    cleanup: [call('mStartMeasure', undefined), clean],
  },
  ...thresholds(),
];

/** Shares of light from which a sector reads warning, and error, by the threshold. */
function thresholds(): readonly ConformanceCase[] {
  const limits = [
    ['high-sensitivity', 0, 0.15, 0.3],
    ['medium-sensitivity', 1, 0.3, 0.5],
    ['low-sensitivity', 2, 0.5, 0.7],
  ] as const;
  return limits.map(([name, eThreshold, warning, error]) => ({
    ...seen,
    id: `contamination.${name}`,
    clause: `With the threshold ${eThreshold}, a sector reads warning from a share of light of ${warning} on, and error from ${error} on.`,
    place: decided,
    level: 'should',
    steps: [
      clean,
      detects({ eThreshold }),
      dirt(warning - 0.01, 1),
      dirt(warning, 2),
      dirt(error - 0.01, 3),
      dirt(error, 4),
      dirt(0.94, 5),
      dirt(0.95, 6),
      responded,
      data({
        is: [
          Sector.clean,
          Sector.warning,
          Sector.warning,
          Sector.error,
          Sector.error,
          Sector.none,
          Sector.clean,
        ],
      }),
    ],
  }));
}

/** Dirt on the front screen. */
export const contaminationArea: Area = {
  name: 'contamination',
  title: 'Contamination indication',
  cases: () => [...sectors, ...strategyCases],
};
