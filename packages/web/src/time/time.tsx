import { dateAndSystemTime } from '@azimuth/model';
import { scanner } from '../connection/current.js';
import { type Labelled, ParameterGroup } from '../forms/parameter-group.js';
import { DeviceClock } from './device-clock.js';
import { TimeSource } from './time-source.js';
import '../style/maintain.css';

const { TSCRole, TSCTCSrvAddr, TSCTCtimezone, TSCTCupdatetime } = dateAndSystemTime.members;

const settings: Labelled = [
  [TSCRole, 'Source of the time'],
  [TSCTCSrvAddr, 'Time server (NTP)'],
  [TSCTCupdatetime, 'Ask the server every'],
  [TSCTCtimezone, 'Time zone'],
];

/** The device clock, and whom it follows. */
export function Time() {
  return (
    <div class="content">
      <header class="lead">
        <h1>Time</h1>
        <p class="soft">
          The clock of the scanner, and where it gets the time from. While it follows a server or a PTP
          master, telegrams have times of day; otherwise they have the time since the boot.
        </p>
      </header>
      <div class="panels broad">
        <DeviceClock />
        <TimeSource />
      </div>
      <ParameterGroup title="Settings" variables={settings} edition={scanner().edition.value} />
    </div>
  );
}
