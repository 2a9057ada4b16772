import { dateAndSystemTime } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { act, computed, type Room } from '../room.js';
import type { DeviceTime } from './device-time.js';

const { LSPdatetime, LSPsetdatetime } = dateAndSystemTime.members;

/** Reading and setting the device clock. */
export function dateAndSystemTimeRoom(time: DeviceTime, announcements: Announcements): Room {
  return {
    computed: [computed(LSPdatetime, () => time.now())],
    acts: [
      act(LSPsetdatetime, ({ DateTime }) => {
        time.set(DateTime);
        announcements.changed([LSPdatetime]);
        return { ErrorCode: 0 };
      }),
    ],
  };
}
