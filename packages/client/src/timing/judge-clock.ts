import { counted } from '@azimuth/model';
import type { Found, Judged, JudgedScanner } from './judged.js';
import type { KnownTime } from './known-time.js';
import { median, quantile } from './statistics.js';
import { durationText, ms } from './words.js';

const limits = {
  /** ppm: two crystals differ by less. */
  drift: 100,
  /** ms between the clocks of scanner and computer. */
  offset: 100,
  /** ms by which a difference of clocks may be off a whole one, as of time zones. */
  sameOffset: 2000,
  /** ms by which stamps of one of ten scans may be off the beat of the mirror. */
  jitter: 1,
  /** Share of scans with the stamp of the scan before: the others are off the beat by that. */
  repeated: 0.04,
  /** Least scans that are judged. */
  scans: 30,
} as const;

type ClockRule = (judged: Judged, scanner: JudgedScanner) => Found | undefined;

const rules: readonly ClockRule[] = [unknownClock, changed, uptime, steps, drift, offset, repeated, noise];

/** Returns what is wrong with the stamps of a stream. */
export function clockFindings(judged: Judged, scanner: JudgedScanner): readonly Found[] {
  return rules.flatMap((rule) => rule(judged, scanner) ?? []);
}

function unknownClock({ measures: { clock } }: Judged): Found | undefined {
  if (clock !== 'unknown') return undefined;
  return {
    cause: 'stamps-unknown',
    text: 'stamps are neither the time since a boot nor a date from 2000 to 2105',
  };
}

function changed({ stream: { changes } }: Judged, { known }: JudgedScanner): Found | undefined {
  const change = changes.items.find(({ from, to }) => from !== 'unknown' && to !== 'unknown');
  if (change === undefined) return undefined;
  const source = known?.follows === 'PTP master' ? 'a PTP master' : 'a time server';
  const text =
    change.to === 'UTC'
      ? `stamps change from uptime to UTC in the middle: ${source} has synchronised the scanner only then`
      : `stamps change from UTC to uptime in the middle: the scanner has lost ${source}`;
  return { cause: 'clock-changed', text, at: change.at };
}

function uptime({ measures: { clock } }: Judged, { known }: JudgedScanner): Found | undefined {
  if (clock !== 'uptime' || known === undefined) return undefined;
  const text = whyUtcIsExpected(known);
  return text === undefined ? undefined : { cause: 'uptime-stamps', text };
}

/** Returns the finding about stamps that count from the boot; undefined if nobody expects something else. */
function whyUtcIsExpected({
  follows,
  synchronised,
  server,
  fault = '',
  expectsUtc,
}: KnownTime): string | undefined {
  const stamps = 'stamps count from the last boot (dates of 1970)';
  if (synchronised === true) return `${stamps}, although the scanner says that its clock is synchronised`;
  const source =
    follows === 'time server' ? `time server${server === undefined ? '' : ` ${server}`}` : 'PTP master';
  if (follows === 'time server' || follows === 'PTP master') {
    const why = fault === '' ? 'no time has come from it' : fault.replace(/\.$/, '');
    return `${stamps}, although the scanner should follow a ${source}: ${why}`;
  }
  if (expectsUtc !== true) return undefined;
  return `${stamps}, and UTC is expected: ${follows === 'nothing' ? 'the scanner follows no time server (TSCRole TX_NONE)' : 'the scanner is not synchronised'}`;
}

function steps({ stream }: Judged, { known }: JudgedScanner): Found | undefined {
  const made = stream.steps.items;
  const [first] = made;
  if (first === undefined) return undefined;
  const largest = made.reduce((most, { by }) => (Math.abs(by) > Math.abs(most) ? by : most), 0);
  // A delay that grows means a clock that goes back.
  const direction = largest > 0 ? 'back' : 'forward';
  const size = `${stream.steps.count === 1 ? '' : 'up to '}${durationText(largest)} ${direction}`;
  const between = intervalOf(made.map(({ at }) => at));
  const what = `the clock of the scanner made ${counted(stream.steps.count, 'step')}, ${size}`;
  return { cause: 'clock-steps', text: `${what}: ${sourceOfSteps(between, known)}`, at: first.at };
}

/** Returns why the clock was set. @param between ms between steps; undefined if they are not regular */
function sourceOfSteps(between: number | undefined, known: KnownTime | undefined): string {
  const { follows, updateTime } = known ?? {};
  if (follows === 'PTP master') return 'its PTP master corrects more than 100 ms by a step';
  const every = updateTime === undefined ? '' : `, every ${updateTime} s (TSCTCupdatetime)`;
  if (between !== undefined) {
    return `a time server sets it about every ${durationText(between)} (SNTP) and nothing steers it in between`;
  }
  if (follows === 'time server') return `a time server sets it${every} and nothing steers it in between`;
  if (follows === 'nothing')
    return 'somebody has set it by hand, because it follows nothing (TSCRole TX_NONE)';
  return 'somebody has set it by hand, or a time server (SNTP), which sets it every 600 s by default';
}

/** Returns the time between events that are regular, as far as none was missed; undefined if they are not. */
function intervalOf(times: readonly number[]): number | undefined {
  const between = times.slice(1).map((time, index) => time - (times[index] ?? time));
  if (between.length === 0) return undefined;
  const usual = median(between);
  const isRegular = between.every((each) => {
    const rounds = Math.round(each / usual);
    return rounds >= 1 && Math.abs(each - rounds * usual) < 0.1 * usual;
  });
  return between.length >= 2 && isRegular ? usual : undefined;
}

function drift({ stream, measures }: Judged): Found | undefined {
  if (stream.kind === 'imu' || measures.drift === undefined) return undefined;
  const { ppm, uncertainty } = measures.drift;
  if (Math.abs(ppm) - uncertainty <= limits.drift) return undefined;
  const perHour = durationText(Math.abs(ppm) * 3.6);
  const although = measures.clock === 'UTC' ? ', although its stamps are UTC' : '';
  return {
    cause: 'clock-drift',
    text: `the clock of the scanner runs ${Math.round(Math.abs(ppm))} ppm too ${ppm > 0 ? 'slow' : 'fast'} against this computer (${perHour} an hour)${although}`,
  };
}

function offset({ measures: { behind } }: Judged): Found | undefined {
  if (behind === undefined || Math.abs(behind) <= limits.offset) return undefined;
  const where = behind > 0 ? 'behind' : 'ahead of';
  const known = knownOffset(behind);
  const why = known === undefined ? '' : `: ${known.why}`;
  return {
    cause: 'clock-offset',
    text: `the clock of the scanner is ${durationText(behind)} ${where} this computer, though its stamps are UTC${why}`,
    remedy: known?.remedy,
  };
}

/** ms between UTC and the time scales of atomic clocks, since 2017. */
const timeScales = [
  { name: 'TAI', ahead: 37_000 },
  { name: 'GPS time', ahead: 18_000 },
] as const;

const zone = 15 * 60_000;
const furthestZone = 14 * 3_600_000;

/** Returns why clocks differ by this, if it is no accident. */
function knownOffset(behind: number): { readonly why: string; readonly remedy: string } | undefined {
  const size = Math.abs(behind);
  const scale = timeScales.find(({ ahead }) => Math.abs(size - ahead) < limits.sameOffset);
  if (scale !== undefined) {
    const who = behind > 0 ? 'this computer' : 'the scanner';
    const { name, ahead } = scale;
    return {
      why: `${name} is ${ahead / 1000} s ahead of UTC, and ${who} seems to show it`,
      remedy: `let the PTP master or time server of ${who} tell the difference to UTC (currentUtcOffset), or subtract ${ahead / 1000} s`,
    };
  }
  const zones = Math.round(size / zone);
  if (zones === 0 || size > furthestZone + limits.sameOffset) return undefined;
  if (Math.abs(size - zones * zone) >= limits.sameOffset) return undefined;
  return {
    why: `${hoursText(zones / 4)} are a difference of time zones: one of both takes local time for UTC`,
    remedy:
      'set time server, scanner and computer to UTC, and let programs add the time zone when they show it',
  };
}

function hoursText(hours: number): string {
  return hours < 1 ? `${60 * hours} min` : `${hours} h`;
}

function repeated({ stream: { scans } }: Judged): Found | undefined {
  const { repeated } = scans.clock;
  if (repeated === 0) return undefined;
  return {
    cause: 'stamps-repeated',
    text: `${counted(repeated, 'scan')} of ${scans.count} ${repeated === 1 ? 'has' : 'have'} the same stamps as the scan before`,
  };
}

function noise({ stream }: Judged): Found | undefined {
  const { deviations, turn, repeated } = stream.scans.clock;
  if (stream.kind !== 'scan' || deviations.values.length < limits.scans || turn === undefined)
    return undefined;
  const rising = Float64Array.from(deviations.values.map(Math.abs)).sort();
  const p90 = quantile(rising, 0.9);
  if (p90 <= limits.jitter || repeated > limits.repeated * stream.scans.count) return undefined;
  return {
    cause: 'stamp-jitter',
    text: `stamps of scans are off the beat of the mirror (${ms(turn)}): by ${ms(quantile(rising, 0.5))} usually, by ${ms(p90)} in one of ten scans`,
  };
}
