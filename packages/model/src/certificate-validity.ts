const day = 86_400_000;

/** Days before its end from which on it is told that a certificate ends. */
export const expiryWarningTime = 30;

/** Whether a certificate is valid at a time. */
export type CertificateValidity =
  /** @property days that are left, whole ones */
  | { readonly state: 'valid' | 'ends soon'; readonly days: number }
  | { readonly state: 'not yet' | 'expired' }
  /** Its dates cannot be read. */
  | { readonly state: 'unknown' };

/**
 * Judges the dates of a certificate, as certificateBundleInfo writes them.
 * @param now ms since 1970
 */
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
