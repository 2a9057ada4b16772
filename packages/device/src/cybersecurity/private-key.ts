import { createPrivateKey, type KeyObject, sign, verify, type X509Certificate } from 'node:crypto';
import { BundleFault, bytesOf, type PemBlock, pemBlocks } from './pem.js';

const what = 'The private key';
const formats = {
  'PRIVATE KEY': 'pkcs8',
  'RSA PRIVATE KEY': 'pkcs1',
  'EC PRIVATE KEY': 'sec1',
} as const;

/**
 * The private key of a PEM text: PKCS #8, PKCS #1 or SEC 1, not encrypted.
 * @throws BundleFault
 */
export function privateKeyOf(text: string): KeyObject {
  // `openssl ecparam -genkey` writes the name of the curve before the key, which also contains it.
  const blocks = pemBlocks(text, what).filter(({ label }) => label !== 'EC PARAMETERS');
  const [block, ...others] = blocks;
  if (block === undefined) throw new BundleFault(`${what} is missing: expected PEM with BEGIN PRIVATE KEY`);
  if (others.length > 0) throw new BundleFault(`${what} must be the only PEM block`);
  if (block.label === 'ENCRYPTED PRIVATE KEY' || block.body.includes('ENCRYPTED')) {
    throw new BundleFault(`${what} is encrypted: send it without a passphrase`);
  }
  return read(block);
}

function read(block: PemBlock): KeyObject {
  if (!isFormat(block.label)) {
    throw new BundleFault(`${what} is missing: expected PEM with BEGIN PRIVATE KEY`);
  }
  const key = bytesOf(block);
  try {
    if (key !== undefined) return createPrivateKey({ key, format: 'der', type: formats[block.label] });
  } catch {
    // The message of OpenSSL does not help, and might reveal something about the key.
  }
  throw new BundleFault(`${what} cannot be read: its PEM is damaged`);
}

function isFormat(label: string): label is keyof typeof formats {
  return Object.hasOwn(formats, label);
}

/** Does a key belong to a certificate? Checked by a signature, because a damaged key may have the right public half. */
export function fits(key: KeyObject, certificate: X509Certificate): boolean {
  try {
    const { raw, publicKey } = certificate;
    return verify('sha256', raw, publicKey, sign('sha256', raw, key));
  } catch {
    return false;
  }
}

const fewestBits = 2048;
/** A signature with a longer key takes so long that handshakes would hold everything else up. */
const mostBits = 8192;
/** P-256, P-384 and P-521, as OpenSSL calls them. */
const curves: readonly (string | undefined)[] = ['prime256v1', 'secp384r1', 'secp521r1'];

/** The accepted keys, in words. Browsers accept neither Ed25519 nor RSA-PSS keys. */
export const wantedKeys = `RSA of ${fewestBits} to ${mostBits} bits, or EC on P-256, P-384 or P-521`;

/** Is a key strong enough, not too slow, and of a type that all current clients accept? */
export function isGoodKey({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType === 'rsa') {
    const { modulusLength: bits = 0 } = asymmetricKeyDetails ?? {};
    return bits >= fewestBits && bits <= mostBits;
  }
  return asymmetricKeyType === 'ec' && curves.includes(asymmetricKeyDetails?.namedCurve);
}
