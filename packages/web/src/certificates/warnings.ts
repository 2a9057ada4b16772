import { certificateValidity, counted } from '@azimuth/model';

/** What a browser looks at in the certificate of a scanner, as `certificateBundleInfo` tells it. */
export interface Leaf {
  readonly names: readonly { readonly entry: string }[];
  readonly issuer: string;
  readonly subject: string;
  readonly validNotBefore: string;
  readonly validNotAfter: string;
}

/**
 * What browsers will find wrong with a certificate, in words.
 * @param host the name or address by which the scanner is reached
 * @param now ms since 1970
 */
export function browserWarnings(leaf: Leaf, host: string, now: number): readonly string[] {
  const warnings: string[] = [];
  const validity = certificateValidity(leaf, now);
  if (validity.state === 'not yet') warnings.push('It is not valid yet.');
  if (validity.state === 'expired') warnings.push('It has expired: browsers and programs refuse it.');
  if (validity.state === 'ends soon') warnings.push(`It expires in ${counted(validity.days, 'day')}.`);
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
