import type { SiteScanner, SiteSeverity } from '@azimuth/http/site';
import { counted } from '@azimuth/model';
import { capitalised } from '../parts/texts.js';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** A span in its greatest whole unit: `40 s`, `3 h`, `12 d`. */
function spanText(seconds: number): string {
  if (seconds < minute) return `${Math.floor(seconds)} s`;
  if (seconds < hour) return `${Math.floor(seconds / minute)} min`;
  if (seconds < 2 * day) return `${Math.floor(seconds / hour)} h`;
  return `${Math.floor(seconds / day)} d`;
}

/** Age of something that goes on. @param ms since it began */
export function ageText(ms: number): string {
  return spanText(Math.max(0, ms) / 1000);
}

/** Seconds by which a clock may differ without being worth a look. */
const unnoticed = 1;

/** A clock beside that of the server: `right`, `65 s ahead`; empty if it is not known. */
export function clockText(offset: number | undefined): string {
  if (offset === undefined) return '';
  if (Math.abs(offset) < unnoticed) return 'right';
  return `${spanText(Math.abs(offset))} ${offset > 0 ? 'ahead' : 'behind'}`;
}

/** Time for which a certificate is still valid: `412 d`; empty if it is not known. @param now ms since 1970 */
export function certificateText(until: number | undefined, now: number): string {
  if (until === undefined) return '';
  return until <= now ? 'expired' : spanText((until - now) / 1000);
}

/** Scan data that arrives: `15.0 Hz`, `7.5 of 15.0 Hz, 2.0 % lost`; empty if it is not known. */
export function dataText(scans: SiteScanner['scans']): string {
  if (scans === undefined) return '';
  const { rate, expectedRate, lossShare } = scans;
  const isLess = expectedRate !== undefined && rate < 0.95 * expectedRate;
  const text = isLess ? `${rate.toFixed(1)} of ${expectedRate.toFixed(1)} Hz` : `${rate.toFixed(1)} Hz`;
  return lossShare > 0 ? `${text}, ${(100 * lossShare).toFixed(1)} % lost` : text;
}

/** A line of trouble without a full stop, for a cell. */
export function troubleText(line: string): string {
  return capitalised(line).replace(/\.$/, '');
}

/** The words for severities in the list of filters. */
export const severityWords: Readonly<Record<SiteSeverity, string>> = {
  bad: 'Broken',
  warn: 'Warning',
  idle: 'Idle or unknown',
  good: 'Good',
};

/**
 * Summary of all scanners. It never says that none needs anybody before the state of each is known: one that is idle may
 * be unknown.
 */
export function summaryOf(total: number, severities: Readonly<Record<SiteSeverity, number>>): string {
  const { bad, warn, idle } = severities;
  const trouble = bad + warn;
  const all = counted(total, 'scanner');
  if (trouble === 0 && idle === 0) return `${all}. None needs you.`;
  const rest = idle === 0 ? '' : ` ${idle} idle or not known yet.`;
  if (trouble === 0) return `${all}.${rest}`;
  return `${trouble} of ${all} ${trouble === 1 ? 'needs' : 'need'} you.${rest}`;
}
