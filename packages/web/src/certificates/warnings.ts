import { counted } from '@azimuth/model';
/** What a browser looks at in the certificate of a scanner, as `certificateBundleInfo` tells it. */
export interface Leaf {
  readonly names: readonly { readonly entry: string }[];
  readonly issuer: string;
  readonly subject: string;
  readonly validNotBefore: string;
  readonly validNotAfter: string;
}

const day = 86_400_000;
/** Days before the end from which on it is told. */
const soon = 30;

/**
 * What browsers will find wrong with a certificate, in words.
 * @param host the name or address by which the scanner is reached
 * @param now ms since 1970
 */
export function browserWarnings(leaf: Leaf, host: string, now: number): readonly string[] {
  const warnings: string[] = [];
  const begin = Date.parse(leaf.validNotBefore);
  const end = Date.parse(leaf.validNotAfter);
  if (now < begin) warnings.push('It is not valid yet.');
  if (now > end) warnings.push('It has expired: browsers and programs refuse it.');
  else if (end - now < soon * day) {
    const days = Math.floor((end - now) / day);
    warnings.push(`It expires in ${counted(days, 'day')}.`);
  }
  if (leaf.issuer === leaf.subject) {
    warnings.push('It is self-signed: browsers warn until you tell this computer to trust it.');
  }
  if (!leaf.names.some(({ entry }) => isFor(entry, host))) {
    warnings.push(`It does not name ${host}, by which you reach the scanner here: browsers warn.`);
  }
  return warnings;
}

/** Entries are like `DNS:gate.local` and `IP Address:192.168.0.1`; `*` stands for one label. */
function isFor(entry: string, host: string): boolean {
  const name = entry.replace(/^[^:]*:/, '').toLowerCase();
  const wanted = host.toLowerCase();
  if (name === wanted) return true;
  return name.startsWith('*.') && name.slice(1) === wanted.slice(wanted.indexOf('.'));
}
