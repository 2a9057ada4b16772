const day = 86_400_000;

/** Number of days before the end of a certificate from which on users are warned. */
export const expiryWarningTime = 30;

/** Validity of a certificate at a time. */
export type CertificateValidity =
  /** @property days whole days that are left */
  | { readonly state: 'valid' | 'ends soon'; readonly days: number }
  | { readonly state: 'not yet' | 'expired' }
  /** The dates of the certificate cannot be read. */
  | { readonly state: 'unknown' };

/** Judges the dates of a certificate, as certificateBundleInfo writes them. @param now ms since 1970 */
export function certificateValidity(
  { validNotBefore, validNotAfter }: { readonly validNotBefore: string; readonly validNotAfter: string },
  now: number,
): CertificateValidity {
  const begin = Date.parse(validNotBefore);
  const end = Date.parse(validNotAfter);
  if (Number.isNaN(begin) || Number.isNaN(end)) return { state: 'unknown' };
  if (now > end) return { state: 'expired' };
  if (now < begin) return { state: 'not yet' };
  const days = Math.floor((end - now) / day);
  return { state: end - now < expiryWarningTime * day ? 'ends soon' : 'valid', days };
}
