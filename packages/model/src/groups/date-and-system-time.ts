import { event, group, method, variable } from '../declaration.js';
import { ipv4 } from '../types/array.js';
import { enumeration } from '../types/enumeration.js';
import { integer } from '../types/integer.js';
import { dateTime } from '../types/struct.js';
import { stateChange } from './shared-types.js';
import { TimeZone } from './time-zones.js';

/** Source that synchronises the device clock. */
export const TimeRole = { TX_NONE: 0, TX_CLIENT: 1, TX_PTP_SLAVE: 3 } as const;

export const dateAndSystemTime = group('Date and system time', {
  LSPdatetime: event(dateTime(), { text: 'Date and time of the device clock.' }),
  LSPsetdatetime: method({
    level: 'AuthorizedClient',
    request: { DateTime: dateTime() },
    response: { ErrorCode: stateChange() },
    done: { ErrorCode: 0 },
    text: 'Sets the device clock. The time is lost at the next boot, unless the device has a clock of its own.',
  }),
  TSCRole: variable(enumeration(TimeRole, TimeRole.TX_NONE), {
    write: 'AuthorizedClient',
    text: 'How the device clock is synchronised: not at all, from an NTP server, or as a PTP slave.',
  }),
  TSCTCSrvAddr: variable(ipv4([192, 168, 0, 11]), {
    write: 'AuthorizedClient',
    text: 'Address of the NTP server.',
  }),
  TSCTCtimezone: variable(enumeration(TimeZone, TimeZone.AMSTERDAM_BERLIN_ROM), {
    write: 'AuthorizedClient',
    text: 'Time zone of the device clock when it is set by the NTP server or a PTP master.',
  }),
  TSCTCupdatetime: variable(integer('uint32', { minimum: 1, maximum: 3600, initial: 600 }), {
    write: 'AuthorizedClient',
    unit: 's',
    text: 'Time between two requests to the NTP server.',
  }),
});
