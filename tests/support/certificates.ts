import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import {
  bits,
  bool,
  der,
  explicit,
  identifier,
  integer,
  none,
  octets,
  sequence,
  setOf,
  time,
  utf8,
} from './der.js';

export interface Keys {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

export interface CertificateOptions {
  /** The common name. */
  name?: string;
  /** Alternative names, DNS unless they look like an IPv4 address. */
  names?: readonly string[];
  from?: Date;
  until?: Date;
  keys?: Keys;
  /** The issuer; self-signed by default. */
  issuer?: Issued;
  ca?: boolean;
  hash?: 'sha256' | 'sha384' | 'sha1' | 'md5';
  /** In hex. */
  serial?: string;
  /** Extended key usage. */
  usages?: readonly string[];
  /** Key usage: the bits of its first byte, digitalSignature being 0x80. */
  keyUsage?: number;
}

export interface Issued {
  name: string;
  keys: Keys;
  /** PEM. */
  certificate: string;
}

/** The request of setCertificateBundle. */
export interface BundleData {
  contentCertificateBundle: string;
  contentPrivateKey: string;
}

const algorithms = {
  ec: { sha256: '1.2.840.10045.4.3.2', sha384: '1.2.840.10045.4.3.3', sha1: '1.2.840.10045.4.1', md5: '' },
  rsa: {
    sha256: '1.2.840.113549.1.1.11',
    sha384: '1.2.840.113549.1.1.12',
    sha1: '1.2.840.113549.1.1.5',
    md5: '1.2.840.113549.1.1.4',
  },
};

export const ecKeys = (namedCurve = 'P-256'): Keys => generateKeyPairSync('ec', { namedCurve });
export const rsaKeys = (modulusLength = 2048): Keys => generateKeyPairSync('rsa', { modulusLength });

/** A certificate; by default for the loopback address and valid from 2020 to 2060. */
export function issue(options: CertificateOptions = {}): Issued {
  const { name = 'scanner.test', keys = ecKeys(), issuer, serial = '1a2b3c', hash = 'sha256' } = options;
  const { from = new Date('2020-01-01T00:00:00Z'), until = new Date('2060-01-01T00:00:00Z') } = options;
  const signer = issuer?.keys ?? keys;
  const algorithm = algorithmOf(signer.privateKey, hash);
  const content = sequence(
    explicit(0, integer('2')),
    integer(serial),
    algorithm,
    nameOf(issuer?.name ?? name),
    sequence(time(from), time(until)),
    nameOf(name),
    keys.publicKey.export({ format: 'der', type: 'spki' }),
    explicit(3, sequence(...extensionsOf(options))),
  );
  const digest = signer.privateKey.asymmetricKeyType === 'ed25519' ? null : hash;
  const signature = sign(digest, content, signer.privateKey);
  return { name, keys, certificate: pem('CERTIFICATE', sequence(content, algorithm, bits(signature))) };
}

/** A chain of certificates, leaf first. Each is issued by the next; the last one is self-signed. */
export function chain(length: number, options: CertificateOptions = {}): readonly Issued[] {
  let issuer: Issued | undefined;
  const issued: Issued[] = [];
  for (let place = length; place > 1; place--) {
    issuer = issue({ name: `Authority ${place}`, ca: true, ...(issuer === undefined ? {} : { issuer }) });
    issued.unshift(issuer);
  }
  return [issue({ ...options, ...(issuer === undefined ? {} : { issuer }) }), ...issued];
}

/** Certificates in this order, with the key of the first one or another. */
export function bundleOf(issued: readonly Issued[], keys = issued[0]?.keys): BundleData {
  if (keys === undefined) throw new Error('a bundle needs a key');
  return {
    contentCertificateBundle: issued.map(({ certificate }) => certificate).join(''),
    contentPrivateKey: keyPem(keys),
  };
}

export function keyPem({ privateKey }: Keys): string {
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}

export function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

function algorithmOf(key: KeyObject, hash: NonNullable<CertificateOptions['hash']>): Buffer {
  if (key.asymmetricKeyType === 'ed25519') return sequence(identifier('1.3.101.112'));
  if (key.asymmetricKeyType === 'ec') return sequence(identifier(algorithms.ec[hash]));
  return sequence(identifier(algorithms.rsa[hash]), none);
}

function nameOf(name: string): Buffer {
  const part = (type: string, text: string) => setOf(sequence(identifier(type), utf8(text)));
  return sequence(part('2.5.4.10', 'Azimuth tests'), part('2.5.4.3', name));
}

function extensionsOf({
  names = ['localhost', '127.0.0.1'],
  ca = false,
  usages,
  keyUsage,
}: CertificateOptions): Buffer[] {
  const extension = (id: string, content: Buffer, critical = false) =>
    sequence(identifier(id), ...(critical ? [bool(true)] : []), octets(content));
  return [
    extension('2.5.29.19', sequence(...(ca ? [bool(true)] : [])), true),
    ...(ca || names.length === 0 ? [] : [extension('2.5.29.17', sequence(...names.map(alternativeName)))]),
    ...(keyUsage === undefined ? [] : [extension('2.5.29.15', Buffer.of(3, 2, 0, keyUsage), true)]),
    ...(usages === undefined ? [] : [extension('2.5.29.37', sequence(...usages.map(identifier)))]),
  ];
}

function alternativeName(name: string): Buffer {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(name)) return der(0x87, Buffer.from(name.split('.').map(Number)));
  return der(0x82, Buffer.from(name));
}
