import { counted, dateAndSystemTime, extensions, TimeRole } from '@azimuth/model';
import { type Check, type Fix, found, note, type Verdict, warning } from '../check.js';
import type { Observation } from '../observation.js';

const { LSPdatetime, TSCRole, TSCTCSrvAddr } = dateAndSystemTime.members;
const { time } = extensions.members;

/** How far the clock may be off (s): reading it takes a while, and the time has parts of a second. */
const fewSeconds = 5;

/** Time zones differ by whole quarters of an hour (s). */
const quarter = 900;

/** The furthest that two time zones can be apart (s). */
const furthestZone = 26 * 3600;

export const clockChecks: readonly Check[] = [
  {
    name: 'clock',
    about: 'whether the clock of the scanner is right',
    reads: [LSPdatetime, TSCRole],
    look: clock,
  },
  {
    name: 'synchronisation',
    about: 'whether a time server or PTP master sets the clock',
    reads: [TSCRole, TSCTCSrvAddr, time],
    look: synchronisation,
  },
];

/** How far the clock is ahead of this computer, in s; both show local time. */
function aheadOf(seen: Observation): number | undefined {
  const at = seen.value(LSPdatetime);
  if (at === undefined) return undefined;
  const { uiYear, usiMonth, usiDay, usiHour, usiMinute, usiSec } = at;
  const scanner = Date.UTC(uiYear, usiMonth - 1, usiDay, usiHour, usiMinute, usiSec);
  const { now } = seen.facts;
  const here = Date.UTC(
    now.getFullYear(),
    now.getMonth(),
    now.getDate(),
    now.getHours(),
    now.getMinutes(),
    now.getSeconds(),
  );
  return (scanner - here) / 1000;
}

function clock(seen: Observation): Verdict {
  const ahead = aheadOf(seen);
  if (ahead === undefined) return { unseen: seen.whyUnknown(LSPdatetime) };
  if (Math.abs(ahead) <= fewSeconds) return { fine: 'as the clock of this computer' };
  const zones = Math.round(ahead / quarter) * quarter;
  if (zones !== 0 && Math.abs(zones) <= furthestZone && Math.abs(ahead - zones) <= fewSeconds) {
    return found(
      note(
        `the clock of the scanner is ${spanOf(Math.abs(zones))} ${zones > 0 ? 'ahead of' : 'behind'} this computer: probably another time zone`,
        `if it should not be: ${seen.command('describe TSCTCtimezone')}`,
      ),
    );
  }
  const text = `the clock of the scanner is ${spanOf(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} this computer`;
  if (seen.value(TSCRole) !== TimeRole.TX_NONE) {
    return found(warning(text, 'check the time server or PTP master, and the clock of this computer'));
  }
  return found(
    warning(
      text,
      `let a time server set it: ${seen.command('set TSCRole TX_CLIENT')}; it has no battery`,
      toNow(seen),
    ),
  );
}

/** The clock is set to the time of this computer; the next boot forgets it. */
function toNow({ facts: { now } }: Observation): Fix {
  return {
    question: 'Set the clock to the time of this computer (until the next boot)?',
    acts: [
      {
        call: 'LSPsetdatetime',
        request: {
          DateTime: {
            uiYear: now.getFullYear(),
            usiMonth: now.getMonth() + 1,
            usiDay: now.getDate(),
            usiHour: now.getHours(),
            usiMinute: now.getMinutes(),
            usiSec: now.getSeconds(),
            udiUSec: 0,
          },
        },
      },
    ],
  };
}

function spanOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 2 * 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 2 * 86_400) return `${Math.round(seconds / 360) / 10} h`;
  return counted(Math.round(seconds / 86_400), 'day');
}

function synchronisation(seen: Observation): Verdict {
  const role = seen.value(TSCRole);
  if (role === undefined) return { unseen: seen.whyUnknown(TSCRole) };
  if (role === TimeRole.TX_NONE) {
    return { fine: 'not asked for (TSCRole TX_NONE), so times of scans count from the last boot' };
  }
  const source = role === TimeRole.TX_CLIENT ? 'time server' : 'PTP master';
  const state = seen.value(time);
  if (state === undefined) {
    const ahead = aheadOf(seen);
    if (ahead !== undefined && Math.abs(ahead % quarter) <= fewSeconds) {
      return { fine: `the scanner does not tell, but its clock agrees with this computer` };
    }
    return { unseen: `this scanner does not tell whether its ${source} answers` };
  }
  if (state.Synchronised) return { fine: `by the ${source}, ${Math.abs(state.Offset).toFixed(1)} ms off` };
  const address =
    role === TimeRole.TX_CLIENT ? ` ${seen.value(TSCTCSrvAddr)?.join('.') ?? ''}`.trimEnd() : '';
  const fault = state.Fault === '' ? 'no time has come from it yet' : state.Fault.replace(/\.$/, '');
  return found(
    warning(
      `the clock does not follow its ${source}${address}: ${fault}`,
      role === TimeRole.TX_CLIENT
        ? `check that the server runs and answers, or name another one: ${seen.command('set TSCTCSrvAddr ADDRESS')}`
        : 'check that a PTP master is in the network of the scanner',
    ),
  );
}
