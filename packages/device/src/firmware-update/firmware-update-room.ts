import { firmwareUpdate } from '@azimuth/model';
import { act, computed, type Room } from '../room.js';
import type { FirmwareUpdate } from './firmware-update.js';

const { RunFirmwareUpdate, UpdateState } = firmwareUpdate.members;

/** Installing firmware: the answer is out at once, and UpdateState tells what becomes of it. */
export function firmwareUpdateRoom(update: FirmwareUpdate): Room {
  return {
    computed: [computed(UpdateState, () => update.state)],
    acts: [
      act(RunFirmwareUpdate, (_, { log }) => {
        update.run(log);
        return {};
      }),
    ],
  };
}
