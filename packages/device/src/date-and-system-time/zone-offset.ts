/** Milliseconds that local time is ahead of UTC, at a moment in ms since 1970 UTC. */
export type ZoneOffset = (utc: number) => number;

/** Zones change their offset at whole quarters of an hour only: Newfoundland does so at half past. */
const quarter = 15 * 60_000;

/**
 * The offset of a zone with its daylight saving, as the rules that come with Node say.
 * @param name of the IANA database
 * @throws RangeError for a name that Node does not know
 */
export function zoneOffset(name: string): ZoneOffset {
  const calendar = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  // Asking the calendar is slow, and the answer holds for a quarter of an hour.
  let known = Number.NaN;
  let offset = 0;
  return (utc) => {
    const begin = Math.floor(utc / quarter) * quarter;
    if (begin !== known) {
      offset = localOf(calendar, begin) - begin;
      known = begin;
    }
    return offset;
  };
}

function localOf(calendar: Intl.DateTimeFormat, utc: number): number {
  const parts = new Map(calendar.formatToParts(utc).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}
