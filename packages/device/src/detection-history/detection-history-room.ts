import { detectionHistory, extensions } from '@azimuth/model';
import { act, computed, type Room } from '../room.js';
import type { DetectionHistory } from './detection-history.js';

const { EnableDetectionHistory, EvaluationsToLog, ResetDetectionHistory } = detectionHistory.members;
const { history } = extensions.members;

/** What was detected. */
export function detectionHistoryRoom(detections: DetectionHistory): Room {
  return {
    heeds: [EnableDetectionHistory, EvaluationsToLog],
    computed: [computed(history, () => detections.detections)],
    acts: [
      act(ResetDetectionHistory, async () => {
        await detections.reset();
        return {};
      }),
    ],
  };
}
