import { certificateValidity, counted } from '@azimuth/model';

/** Members of a certificate that a browser checks, as `certificateBundleInfo` contains them. */
export interface Leaf {
  readonly names: readonly { readonly entry: string }[];
  readonly issuer: string;
  readonly subject: string;
  readonly validNotBefore: string;
  readonly validNotAfter: string;
}

/**
 * Returns the warnings that browsers will show for a certificate.
 * @param address the name or address by which the scanner is reached
 * @param now ms since 1970
 */
export function browserWarnings(leaf: Leaf, address: string, now: number): readonly string[] {
  const warnings: string[] = [];
  const validity = certificateValidity(leaf, now);
  if (validity.state === 'not yet') warnings.push('It is not valid yet.');
  if (validity.state === 'expired') warnings.push('It has expired: browsers and programs refuse it.');
  if (validity.state === 'ends soon') warnings.push(`It expires in ${counted(validity.days, 'day')}.`);
  if (leaf.issuer === leaf.subject) {
    warnings.push('It is self-signed: browsers warn until you tell this computer to trust it.');
  }
  if (!leaf.names.some(({ entry }) => isFor(entry, address))) {
    warnings.push(`It does not name ${address}, by which you reach the scanner here: browsers warn.`);
  }
  return warnings;
}

/** Entries are like `DNS:gate.local` and `IP Address:192.168.0.1`; `*` stands for one label. */
function isFor(entry: string, address: string): boolean {
  const name = entry.replace(/^[^:]*:/, '').toLowerCase();
  const wanted = address.toLowerCase();
  if (name === wanted) return true;
  return name.startsWith('*.') && name.slice(1) === wanted.slice(wanted.indexOf('.'));
}
