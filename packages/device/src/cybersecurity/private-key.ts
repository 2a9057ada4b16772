import {
  createECDH,
  createPrivateKey,
  type KeyObject,
  sign,
  verify,
  type X509Certificate,
} from 'node:crypto';

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
  // Ed25519 and Ed448 have a hash of their own.
  const hash = key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'ec' ? 'sha256' : null;
  try {
    const { raw, publicKey } = certificate;
    return verify(hash, raw, publicKey, sign(hash, raw, key));
  } catch {
    return false;
  }
}

/** The least length of an RSA key of a scanner, in bits: devices refuse 3072. */
export const leastBits = 3073;
/** The least length of the RSA keys of authorities, and of a scanner that takes short keys. */
export const leastBitsOfAuthorities = 2048;
/** A signature with a longer key takes so long that handshakes would hold everything else up. */
const mostBits = 8192;
/** The bits of the curve of an EC key must be more. */
const refusedBitsOfCurves = 250;

/**
 * Why a key is too weak, too slow, or of a type that devices refuse: what it is, and what was expected. Undefined
 * if it is good.
 * @param least the least length of an RSA key, in bits
 */
export function keyMistake(
  { asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject,
  least: number,
): string | undefined {
  if (type === 'rsa') {
    const { modulusLength: bits = 0 } = details;
    return bits >= least && bits <= mostBits ? undefined : `RSA of ${bits} bits, not ${least} to ${mostBits}`;
  }
  if (type === 'ec') {
    const { namedCurve } = details;
    const bits = namedCurve === undefined ? 0 : bitsOf(namedCurve);
    if (bits > refusedBitsOfCurves) return undefined;
    return `EC on ${namedCurve ?? 'a curve without a name'}, not on one of more than ${refusedBitsOfCurves} bits`;
  }
  return type === 'ed25519' || type === 'ed448'
    ? undefined
    : `${type ?? 'unknown'}, not RSA, EC, Ed25519 or Ed448`;
}

/** The bits of a curve, rounded up to whole bytes: those of a coordinate of a point, which has one byte in front of it. */
function bitsOf(namedCurve: string): number {
  const digits = createECDH(namedCurve).generateKeys('hex', 'compressed').length;
  return 4 * (digits - 2);
}

/**
 * Why certificates or a key are refused. `errorCode.error` has the message: at most 100 characters, without any content of
 * what was sent, except dates.
 */
export class BundleFault extends Error {
  override readonly name = 'BundleFault';
}

/** One block of a PEM text (RFC 7468). */
export interface PemBlock {
  readonly label: string;
  /** The text between its first and its last line, usually base64. */
  readonly body: string;
}

const begin = /-----BEGIN ([A-Z0-9 ]+)-----/;

/**
 * The blocks of a PEM text in their order. Text between them, which some tools write, is ignored.
 * @param what names the text in a fault
 * @throws BundleFault if a block has no end
 */
export function pemBlocks(text: string, what: string): readonly PemBlock[] {
  const blocks: PemBlock[] = [];
  let rest = text;
  for (;;) {
    const found = begin.exec(rest);
    if (found === null) break;
    const [first, label = ''] = found;
    const start = found.index + first.length;
    const last = `-----END ${label}-----`;
    const end = rest.indexOf(last, start);
    const body = rest.slice(start, end);
    if (end < 0 || begin.test(body)) throw new BundleFault(`${what}: a BEGIN line has no END line`);
    blocks.push({ label, body });
    rest = rest.slice(end + last.length);
  }
  if (/-----(BEGIN|END)/.test(rest)) throw new BundleFault(`${what}: a BEGIN line has no END line`);
  return blocks;
}

/** The bytes of a block; undefined if it is not base64, or empty. */
export function bytesOf({ body }: PemBlock): Buffer | undefined {
  const text = body.replaceAll(/[ \t\r\n]/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  return Buffer.from(text, 'base64');
}
