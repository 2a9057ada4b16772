import { Tally } from '@azimuth/device';
import type { LegacyErrorName } from '@azimuth/telegrams/legacy';

/** What has come and gone over the legacy protocol since the process started. */
export class LegacyTally {
  readonly telegrams = new Tally<'in' | 'out'>();
  readonly errors = new Tally<LegacyErrorName>();
  /** Sessions that are open. */
  sessions = 0;
}
