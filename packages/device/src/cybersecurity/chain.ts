import type { X509Certificate } from 'node:crypto';
import { BundleFault } from './bundle-fault.js';

/**
 * Checks that each certificate was issued by the one behind it: the leaf comes first. The last one's issuer need not
 * be there; a leaf may have signed itself.
 * @throws BundleFault
 */
export function checkChain(certificates: readonly X509Certificate[]): void {
  checkOnce(certificates);
  for (const [index, certificate] of certificates.entries()) {
    const next = certificates[index + 1];
    if (next === undefined) return;
    if (!issued(next, certificate)) throw brokenLink(certificates, index);
    if (!next.ca) throw new BundleFault(`Certificate ${index + 2} may not issue any: it is none of a CA`);
  }
}

function checkOnce(certificates: readonly X509Certificate[]): void {
  for (const [index, { raw }] of certificates.entries()) {
    if (certificates.slice(0, index).some((before) => before.raw.equals(raw))) {
      throw new BundleFault(`Certificate ${index + 1} is there twice`);
    }
  }
}

/** Names, key identifiers and the right to sign say so, and the signature proves it. */
function issued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** All that belongs together may be there, in another order: that is worth a text of its own. */
function brokenLink(certificates: readonly X509Certificate[], index: number): BundleFault {
  const [certificate, next] = certificates.slice(index, index + 2);
  const isOutOfOrder = certificates.some(
    (other) =>
      other !== certificate &&
      certificate !== undefined &&
      (issued(other, certificate) || (other === next && issued(certificate, other))),
  );
  if (isOutOfOrder) {
    return new BundleFault('The certificates are out of order: the leaf comes first, each issuer behind it');
  }
  return new BundleFault(`Certificate ${index + 1} was not issued by certificate ${index + 2}`);
}
