import { Tally } from '@azimuth/device';
import type { LegacyErrorName } from '@azimuth/telegrams/legacy';
import type { ForeignProtocol } from './session-start.js';

/** What has come and gone over the legacy protocol since the process started. */
export class LegacyTally {
  readonly telegrams = new Tally<'in' | 'out'>();
  readonly errors = new Tally<LegacyErrorName>();
  /** Sessions that were closed as they began with another protocol. */
  readonly foreign = new Tally<ForeignProtocol>();
  /** Sessions that are open. */
  sessions = 0;
}
