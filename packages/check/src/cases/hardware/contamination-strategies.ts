import { pause, write } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { comesTo, numbered, reads } from '../value-steps.js';
import {
  allSectors,
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

const decided = 'Azimuth: contamination';

/** Dirt in sector 4 that is a warning with the threshold 0. */
const someDirt = 0.2;

const strategies: readonly ConformanceCase[] = [
  {
    ...seen,
    id: 'contamination.one-sector',
    clause: 'With the strategy 2, one contaminated sector is enough for the error.',
    steps: [clean, detects(), dirt(dirty, 4), responded, result(true, true)],
  },
  {
    ...seen,
    id: 'contamination.all-sectors',
    clause: 'With the strategy 1, all sectors must be contaminated.',
    steps: [
      clean,
      detects({ eStrategy: 1 }),
      dirt(dirty),
      dirt(0, 4),
      responded,
      result(false, false),
      dirt(dirty, 4),
      responded,
      result(true, true),
    ],
  },
  {
    ...seen,
    id: 'contamination.all-sectors-warning',
    clause:
      'With the strategy 1, there is a warning when some sectors have a warning, and all others an error.',
    level: 'should',
    place: decided,
    steps: [clean, detects({ eStrategy: 1 }), dirt(dirty), dirt(someDirt, 4), responded, result(true, false)],
  },
  {
    ...seen,
    id: 'contamination.warning',
    clause: 'Some dirt is a warning, and no error.',
    steps: [clean, detects(), dirt(someDirt, 4), responded, result(true, false)],
  },
  {
    ...seen,
    id: 'contamination.no-warning-enabled',
    clause:
      'With bEnableWarning false, ContaminationResult has no warning. ContaminationData shows the dirt nevertheless.',
    steps: [
      clean,
      detects({ bEnableWarning: false }),
      dirt(dirty, 4),
      responded,
      result(false, true),
      data(numbered(4, { is: Sector.error })),
    ],
  },
  {
    ...seen,
    id: 'contamination.no-error-enabled',
    clause:
      'With bEnableError false, ContaminationResult has no error. ContaminationData shows the dirt nevertheless.',
    steps: [
      clean,
      detects({ bEnableError: false }),
      dirt(dirty, 4),
      responded,
      result(true, false),
      data(numbered(4, { is: Sector.error })),
    ],
  },
  {
    ...seen,
    id: 'contamination.better-at-once',
    clause: 'With the strategy 1, a sector that is clean again is reported at once.',
    level: 'should',
    place: decided,
    steps: [
      clean,
      detects({ eStrategy: 1, usiResponseTime: 10 }),
      dirt(dirty),
      pause(12),
      result(true, true),
      clean,
      pause(1),
      result(false, false),
    ],
  },
  {
    ...seen,
    id: 'contamination.better-later',
    clause: 'With the strategy 2, a sector that is clean again is reported after the response time.',
    level: 'should',
    place: decided,
    steps: [
      clean,
      detects({ usiResponseTime: 10 }),
      dirt(dirty, 4),
      pause(12),
      clean,
      pause(8),
      result(true, true),
      pause(4),
      result(false, false),
    ],
  },
  {
    ...seen,
    id: 'contamination.blocked-as-error',
    clause:
      'With treatBlockedSectorsAsErrorSectors, a blocked sector counts as an error for the strategy; without it, not.',
    names: [...seen.names, 'treatBlockedSectorsAsErrorSectors'],
    steps: [
      clean,
      write('treatBlockedSectorsAsErrorSectors', false),
      detects(),
      dirt(blocked, 4),
      responded,
      result(false, false),
      write('treatBlockedSectorsAsErrorSectors', true),
      result(true, true),
    ],
  },
  {
    ...seen,
    id: 'contamination.all-blocked',
    clause: 'If all watched sectors are blocked, there is a warning in any case.',
    level: 'should',
    place: decided,
    names: [...seen.names, 'treatBlockedSectorsAsErrorSectors'],
    steps: [
      clean,
      write('treatBlockedSectorsAsErrorSectors', false),
      detects(),
      dirt(blocked),
      responded,
      result(true, false),
    ],
  },
];

const covers: readonly ConformanceCase[] = [
  {
    ...seen,
    id: 'contamination.weather-hood',
    clause: 'With the cover 6, the weather hood, the outermost sectors are not watched.',
    level: 'should',
    place: decided,
    steps: [
      clean,
      detects({ eCover: 6 }),
      dirt(dirty, 1),
      dirt(dirty, 7),
      responded,
      data({
        is: [Sector.none, Sector.clean, Sector.clean, Sector.clean, Sector.clean, Sector.clean, Sector.none],
      }),
      result(false, false),
    ],
  },
  {
    ...seen,
    id: 'contamination.custom-sectors',
    clause: 'With the cover 255, those sectors are watched that are true in CustomSectors.',
    steps: [
      clean,
      detects({ eCover: 255, CustomSectors: [true, false, false, true, false, false, false] }),
      dirt(dirty, 2),
      responded,
      data({
        is: [Sector.clean, Sector.none, Sector.none, Sector.clean, Sector.none, Sector.none, Sector.none],
      }),
      result(false, false),
      dirt(dirty, 4),
      responded,
      result(true, true),
    ],
  },
  {
    ...seen,
    id: 'contamination.custom-sectors-ignored',
    clause: 'CustomSectors counts only with the cover 255.',
    steps: [
      clean,
      detects({ CustomSectors: [false, false, false, false, false, false, false] }),
      responded,
      data(each(Sector.clean)),
    ],
  },
  {
    ...seen,
    id: 'contamination.active-sectors',
    clause: 'ContaminationActiveSectors has the sectors that are watched.',
    level: 'should',
    place: decided,
    names: [...seen.names, 'ContaminationActiveSectors'],
    steps: [
      detects({ eCover: 6 }),
      reads('ContaminationActiveSectors', { is: [false, true, true, true, true, true, false] }),
      detects(),
      reads('ContaminationActiveSectors', { is: allSectors }),
      detects({ eStrategy: 0 }),
      reads('ContaminationActiveSectors', { not: { some: { is: true } } }),
    ],
  },
];

const statuses: readonly ConformanceCase[] = [
  {
    ...seen,
    id: 'contamination.status-warning',
    clause: 'With a contamination warning, DeviceStatus is 5, and the scanner is ready.',
    names: [...seen.names, 'DeviceStatus'],
    steps: [
      clean,
      detects(),
      dirt(someDirt, 4),
      comesTo('DeviceStatus', 5, 5),
      reads('SCdevicestate', { is: 1 }),
    ],
  },
  {
    ...seen,
    id: 'contamination.status-error',
    clause: 'With a contamination error, DeviceStatus is 6, and the scanner is not ready.',
    names: [...seen.names, 'DeviceStatus'],
    steps: [
      clean,
      detects(),
      dirt(dirty, 4),
      comesTo('DeviceStatus', 6, 5),
      reads('SCdevicestate', { is: 2 }),
    ],
  },
  {
    ...seen,
    id: 'contamination.status-clean',
    clause: 'DeviceStatus is 3 again when the screen is clean again.',
    names: [...seen.names, 'DeviceStatus'],
    steps: [
      clean,
      detects(),
      dirt(dirty, 4),
      comesTo('DeviceStatus', 6, 5),
      clean,
      comesTo('DeviceStatus', 3, 5),
      reads('SCdevicestate', { is: 1 }),
    ],
  },
  {
    ...seen,
    id: 'contamination.change-of-configuration',
    clause: 'If sectors become dirty by another threshold, their response time begins with the change.',
    level: 'should',
    place: decided,
    steps: [
      clean,
      detects({ eThreshold: 2 }),
      dirt(0.4, 4),
      responded,
      result(false, false),
      detects({ eThreshold: 0 }),
      pause(2),
      result(false, false),
      pause(2),
      result(true, true),
    ],
  },
];

/** Strategies, covers, and what follows them. */
export const strategyCases: readonly ConformanceCase[] = [...strategies, ...covers, ...statuses];
