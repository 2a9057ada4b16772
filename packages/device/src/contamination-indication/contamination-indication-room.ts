import { contaminationIndication } from '@azimuth/model';
import { computed, type Room } from '../room.js';
import type { Contamination } from './contamination.js';

const {
  ContaminationConfig,
  ContaminationData,
  ContaminationResult,
  ContaminationActiveSectors,
  treatBlockedSectorsAsErrorSectors,
} = contaminationIndication.members;

/** The dirt on the front screen. */
export function contaminationIndicationRoom(contamination: Contamination): Room {
  return {
    heeds: [treatBlockedSectorsAsErrorSectors],
    computed: [
      computed(ContaminationData, () => contamination.data),
      computed(ContaminationResult, () => contamination.result),
      computed(ContaminationActiveSectors, () => contamination.activeSectors, [ContaminationConfig]),
    ],
  };
}
