import { group, variable } from '../declaration.js';
import { enumeration } from '../types/enumeration.js';

/** Scan frequency and angular resolution go together as numbered profiles. */
const Profile = {
  MODE_1: 1,
  MODE_2: 2,
  MODE_3: 3,
  MODE_4: 4,
  MODE_5: 5,
  MODE_6: 6,
  MODE_7: 7,
  MODE_8: 8,
  MODE_9: 9,
  MODE_10: 10,
  MODE_11: 11,
} as const;

export const basicSettings = group('Basic settings', {
  PerformanceProfileNumber: variable(enumeration(Profile, Profile.MODE_2), {
    write: 'AuthorizedClient',
    text: 'Profile of scan frequency and angular resolution.',
  }),
});
