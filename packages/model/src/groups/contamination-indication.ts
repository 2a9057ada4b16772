import { event, group, variable } from '../declaration.js';
import { array } from '../types/array.js';
import { boolean, enumeration } from '../types/enumeration.js';
import { integer } from '../types/integer.js';
import { struct } from '../types/struct.js';

/** Number of watched sectors of the front screen, from -138° counter-clockwise. */
export const sectorCount = 7;
/** Largest number of items in lists of sectors: the interface leaves room for finer screens. */
const mostSectors = 12;

/** HIGH_AVAILABLE: all watched sectors have to be contaminated. SENSITIVE: one of them is enough. */
export const ContaminationStrategy = {
  CM_STRATEGY_INACTIVE: 0,
  CM_STRATEGY_HIGH_AVAILABLE: 1,
  CM_STRATEGY_SENSITIVE: 2,
} as const;

/** LOW is the lowest limit, so the highest sensitivity. */
export const ContaminationThreshold = { CM_LOW: 0, CM_MID: 1, CM_HIGH: 2 } as const;

/** COVER: a weather hood. */
export const ContaminationCover = {
  CM_COVER_NONE: 0,
  CM_COVER: 6,
  CM_COVER_CUSTOM_SECTORS: 255,
} as const;

/** NONE: the sector is blocked, or not watched. */
export const SectorContamination = {
  CM_DATA_NONE: 0,
  CM_DATA_CLEAN: 1,
  CM_DATA_WARN: 2,
  CM_DATA_ERROR: 3,
} as const;

export const contaminationIndication = group(
  'Contamination indication',
  {
    ContaminationConfig: variable(
      struct({
        eStrategy: enumeration(ContaminationStrategy, ContaminationStrategy.CM_STRATEGY_INACTIVE),
        usiResponseTime: integer('uint16', { minimum: 3, maximum: 60 }),
        eThreshold: enumeration(ContaminationThreshold, ContaminationThreshold.CM_LOW),
        eCover: enumeration(ContaminationCover, ContaminationCover.CM_COVER_NONE),
        CustomSectors: array(boolean(true), {
          maxItems: mostSectors,
          initial: Array.from({ length: sectorCount }, () => true),
        }),
        bEnableWarning: boolean(true),
        bEnableError: boolean(true),
      }),
      {
        write: 'AuthorizedClient',
        unit: 's',
        text: 'Settings of the contamination detection: strategy, response time, threshold, sectors and reports.',
      },
    ),
    ContaminationData: event(array(enumeration(SectorContamination, 0), { maxItems: mostSectors }), {
      text: 'Contamination of each of the seven sectors of the front screen; 0 for a sector that is blocked or not watched.',
    }),
    ContaminationResult: event(struct({ bWarningActive: boolean(), bErrorActive: boolean() }), {
      text: 'Whether there is a contamination warning or error.',
    }),
    ContaminationActiveSectors: variable(array(boolean(), { maxItems: mostSectors }), {
      since: '2.3.3',
      text: 'Sectors of the front screen in which contamination is detected.',
    }),
    treatBlockedSectorsAsErrorSectors: variable(boolean(), {
      write: 'AuthorizedClient',
      since: '2.3.1',
      text: 'Whether a blocked sector counts as one with an error.',
    }),
  },
  { variant: 'full' },
);
