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
 * @throws BundleError
 */
export function privateKeyOf(text: string): KeyObject {
  // `openssl ecparam -genkey` writes the name of the curve before the key, which also contains it.
  const blocks = pemBlocks(text, what).filter(({ label }) => label !== 'EC PARAMETERS');
  const [block, ...others] = blocks;
  if (block === undefined) throw new BundleError(`${what} is missing: expected PEM with BEGIN PRIVATE KEY`);
  if (others.length > 0) throw new BundleError(`${what} must be the only PEM block`);
  if (block.label === 'ENCRYPTED PRIVATE KEY' || block.body.includes('ENCRYPTED')) {
    throw new BundleError(`${what} is encrypted: send it without a passphrase`);
  }
  return read(block);
}

function read(block: PemBlock): KeyObject {
  if (!isFormat(block.label)) {
    throw new BundleError(`${what} is missing: expected PEM with BEGIN PRIVATE KEY`);
  }
  const key = bytesOf(block);
  try {
    if (key !== undefined) return createPrivateKey({ key, format: 'der', type: formats[block.label] });
  } catch {
    // The message of OpenSSL does not help, and might reveal something about the key.
  }
  throw new BundleError(`${what} cannot be read: its PEM is damaged`);
}

function isFormat(label: string): label is keyof typeof formats {
  return Object.hasOwn(formats, label);
}

/**
 * True if a key belongs to a certificate. A signature checks this, because a damaged key may have the right public
 * half.
 */
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

/** Minimum length of an RSA key of a scanner, in bits. Devices refuse 3072. */
export const leastBits = 3073;
/** Minimum length of RSA keys of authorities, and of a scanner that accepts short keys. */
export const leastBitsOfAuthorities = 2048;
/** Maximum length. A signature with a longer key takes so long that handshakes would delay everything else. */
const mostBits = 8192;
/** The curve of an EC key must have more bits. */
const refusedBitsOfCurves = 250;

/**
 * The reason to refuse a key: it is too weak, too slow, or of a type that devices refuse. The text names the key and
 * the expectation. Undefined for a valid key.
 * @param least the least length of an RSA key, in bits
 */
export function keyProblem(
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

/** Bits of a curve, rounded up to whole bytes. A point has two coordinates of this size, behind one byte. */
function bitsOf(namedCurve: string): number {
  const digits = createECDH(namedCurve).generateKeys('hex', 'compressed').length;
  return 4 * (digits - 2);
}

/**
 * The reason to refuse certificates or a key. `errorCode.error` gets the message: at most 100 characters, without any
 * content of the request, except dates.
 */
export class BundleError extends Error {
  /** The name in log entries. Programs that evaluate logs rely on it. */
  override readonly name = 'BundleFault';
}

/** One block of a PEM text (RFC 7468). */
export interface PemBlock {
  readonly label: string;
  /** The text between the first and the last line, usually base64. */
  readonly body: string;
}

const begin = /-----BEGIN ([A-Z0-9 ]+)-----/;

/**
 * The blocks of a PEM text in order. Text between them, which some tools write, is ignored.
 * @param what name of the text in errors
 * @throws BundleError if a block has no end
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
    if (end < 0 || begin.test(body)) throw new BundleError(`${what}: a BEGIN line has no END line`);
    blocks.push({ label, body });
    rest = rest.slice(end + last.length);
  }
  if (/-----(BEGIN|END)/.test(rest)) throw new BundleError(`${what}: a BEGIN line has no END line`);
  return blocks;
}

/** The bytes of a block. Undefined if it is empty or not base64. */
export function bytesOf({ body }: PemBlock): Buffer | undefined {
  const text = body.replaceAll(/[ \t\r\n]/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  return Buffer.from(text, 'base64');
}
