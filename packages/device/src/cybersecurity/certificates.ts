import { X509Certificate } from 'node:crypto';
import { BundleFault } from './bundle-fault.js';
import { bytesOf, type PemBlock, pemBlocks } from './pem.js';

/** As many as certificateBundleInfo can tell. */
const mostCertificates = 4;

/**
 * The certificates of a PEM text in their order.
 * @throws BundleFault
 */
export function certificatesOf(text: string): readonly X509Certificate[] {
  const blocks = pemBlocks(text, 'The certificates');
  if (blocks.length === 0) {
    throw new BundleFault('The certificates are missing: PEM with BEGIN CERTIFICATE is expected');
  }
  if (blocks.some(({ label }) => label.endsWith('PRIVATE KEY'))) {
    throw new BundleFault('The certificates hold a private key, which belongs into contentPrivateKey alone');
  }
  if (blocks.some(({ label }) => label !== 'CERTIFICATE')) {
    throw new BundleFault('The certificates hold something else: only BEGIN CERTIFICATE is expected');
  }
  if (blocks.length > mostCertificates) {
    throw new BundleFault(`More than ${mostCertificates} certificates came`);
  }
  return blocks.map((block, index) => read(block, index + 1));
}

function read(block: PemBlock, number: number): X509Certificate {
  const bytes = bytesOf(block);
  try {
    if (bytes !== undefined) {
      const certificate = new X509Certificate(bytes);
      // Node reads keys when they are asked for, and passes over what stands behind a certificate.
      if (certificate.publicKey !== undefined && certificate.raw.equals(bytes)) return certificate;
    }
  } catch {
    // What OpenSSL says of it is of no use to whoever sent it.
  }
  throw new BundleFault(`Certificate ${number} cannot be read: its PEM is damaged`);
}
