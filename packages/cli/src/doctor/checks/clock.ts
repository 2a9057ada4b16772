import {
  type ClockComparison,
  compareClock,
  counted,
  dateAndSystemTime,
  extensions,
  localTime,
  TimeRole,
} from '@azimuth/model';
import { type Check, type Fix, note, type Verdict, warning } from '../check.js';
import type { Observation } from '../observation.js';

const { LSPdatetime, TSCRole, TSCTCSrvAddr, TSCTCtimezone } = dateAndSystemTime.members;
const { time } = extensions.members;

export const clockChecks: readonly Check[] = [
  {
    name: 'clock',
    about: 'whether the clock of the scanner is right',
    reads: [LSPdatetime, TSCRole, TSCTCtimezone, time],
    judge: clock,
  },
  {
    name: 'synchronisation',
    about: 'whether a time server or PTP master sets the clock',
    reads: [TSCRole, TSCTCSrvAddr, time],
    judge: synchronisation,
  },
];

/** Judges the clock; undefined if it could not be read. */
function judged(observation: Observation): ClockComparison | undefined {
  const at = observation.value(LSPdatetime);
  if (at === undefined) return undefined;
  return compareClock({
    // Fractions of a second would only lengthen the text of a finding.
    device: { ...at, udiUSec: 0 },
    now: new Date(Math.floor(observation.facts.now.getTime() / 1000) * 1000),
    role: observation.value(TSCRole),
    zone: observation.value(TSCTCtimezone),
    synchronised: observation.value(time)?.Synchronised,
  });
}

function clock(observation: Observation): Verdict {
  const judgement = judged(observation);
  if (judgement === undefined) return { unseen: observation.unknownReason(LSPdatetime) };
  const { aheadMs, verdict, zone } = judgement;
  if (verdict === 'right') {
    return {
      fine: `as the clock of this computer${zone === undefined ? '' : `, in the time zone of the scanner (${zone})`}`,
    };
  }
  const text = `the clock of the scanner is ${durationText(Math.abs(aheadMs) / 1000)} ${aheadMs > 0 ? 'ahead of' : 'behind'} this computer`;
  if (verdict === 'other zone') {
    return note(
      `${text}: probably another time zone`,
      `if it should not be: ${observation.command('describe TSCTCtimezone')}`,
    );
  }
  if (observation.value(TSCRole) !== TimeRole.TX_NONE) {
    return warning(text, 'check the time server or PTP master, and the clock of this computer');
  }
  return warning(
    text,
    `let a time server set it: ${observation.command('set TSCRole TX_CLIENT')}; it has no battery`,
    toNow(),
  );
}

/** Sets the clock to the time of this computer; the next boot loses it. */
function toNow(): Fix {
  return {
    question: 'Set the clock to the time of this computer (until the next boot)?',
    acts: [{ call: 'LSPsetdatetime', requestAt: (now) => ({ DateTime: { ...localTime(now), udiUSec: 0 } }) }],
  };
}

function durationText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 2 * 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 2 * 86_400) return `${Math.round(seconds / 360) / 10} h`;
  return counted(Math.round(seconds / 86_400), 'day');
}

function synchronisation(observation: Observation): Verdict {
  const role = observation.value(TSCRole);
  if (role === undefined) return { unseen: observation.unknownReason(TSCRole) };
  const state = observation.value(time);
  if (state?.System) return { fine: `by the ${state.System} of the device itself` };
  if (role === TimeRole.TX_NONE) {
    return { absent: 'not asked for (TSCRole TX_NONE), so times of scans count from the last boot' };
  }
  const source = role === TimeRole.TX_CLIENT ? 'time server' : 'PTP master';
  if (state === undefined) {
    const verdict = judged(observation)?.verdict;
    if (verdict !== undefined && verdict !== 'wrong')
      return { fine: 'the scanner does not tell, but its clock agrees with this computer' };
    return { unseen: `this scanner does not tell whether its ${source} answers` };
  }
  if (state.Synchronised) return { fine: `by the ${source}, ${Math.abs(state.Offset).toFixed(1)} ms off` };
  const address =
    role === TimeRole.TX_CLIENT ? ` ${observation.value(TSCTCSrvAddr)?.join('.') ?? ''}`.trimEnd() : '';
  const reason = state.Fault === '' ? 'no time has come from it yet' : state.Fault.replace(/\.$/, '');
  return warning(
    `the clock does not follow its ${source}${address}: ${reason}`,
    role === TimeRole.TX_CLIENT
      ? `check that the server runs and answers, or name another one: ${observation.command('set TSCTCSrvAddr ADDRESS')}`
      : 'check that a PTP master is in the network of the scanner',
  );
}
