import type { X509Certificate } from 'node:crypto';
import { BundleFault } from './bundle-fault.js';

/** From when until when a certificate is valid, in milliseconds since 1970-01-01T00:00 UTC. */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** @throws BundleFault for dates that cannot be read. */
export function validityOf({ validFrom, validTo }: X509Certificate): Validity {
  return { notBefore: timeOf(validFrom), notAfter: timeOf(validTo) };
}

/** ISO 8601 in UTC with milliseconds: 24 characters, as the years of certificates end with 9999. */
export function isoTime(time: number): string {
  return new Date(time).toISOString();
}

/** What OpenSSL prints, as `Jan  5 09:34:43 2026 GMT`. `Date.parse` would take the year 0049 for 2049. */
function timeOf(text: string): number {
  const [, month = '', day, hour, minute, second, year] =
    /^([A-Z][a-z]{2}) +(\d{1,2}) (\d{2}):(\d{2}):(\d{2}) (\d{1,4}) GMT$/.exec(text) ?? [];
  const index = months.indexOf(month);
  if (index < 0) throw new BundleFault('The dates of a certificate cannot be read');
  const date = new Date(Date.UTC(2000, index, Number(day), Number(hour), Number(minute), Number(second)));
  return date.setUTCFullYear(Number(year), index, Number(day));
}
