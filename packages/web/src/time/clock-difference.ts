import { asUtc, type ClockJudgement, type DateTime, rightWithin } from '@azimuth/model';

/** What is to be thought of a device clock, for a person: `65 s ahead`, `3.0 h behind: probably another time zone`. */
export function differenceText({ aheadMs, verdict }: ClockJudgement): string {
  if (verdict === 'right') return `right: it agrees within ${rightWithin / 1000} s`;
  const span = `${spanText(Math.abs(aheadMs) / 1000)} ${aheadMs > 0 ? 'ahead' : 'behind'}`;
  return verdict === 'other zone' ? `${span}: probably another time zone` : span;
}

function spanText(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${(seconds / 60).toFixed(1)} min`;
  if (seconds < 172_800) return `${(seconds / 3600).toFixed(1)} h`;
  return `${(seconds / 86_400).toFixed(1)} days`;
}

/** `2027-01-31 12:00:05`. */
export function clockText(time: DateTime): string {
  return new Date(asUtc(time)).toISOString().slice(0, 19).replace('T', ' ');
}
