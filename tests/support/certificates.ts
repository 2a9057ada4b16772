import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  KeyUsage,
  type KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';

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
  keyUsage?: KeyUsageFlags;
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

/** The algorithms whose keys have a hash of their own. */
const ownHash: ReadonlyMap<string, string> = new Map([
  ['ed25519', '1.3.101.112'],
  ['ed448', '1.3.101.113'],
]);

export const ecKeys = (namedCurve = 'P-256'): Keys => generateKeyPairSync('ec', { namedCurve });
/** By default long enough for a scanner. */
export const rsaKeys = (modulusLength = 3080): Keys => generateKeyPairSync('rsa', { modulusLength });

/** A certificate; by default for the loopback address and valid from 2020 to 2060. */
export function issue(options: CertificateOptions = {}): Issued {
  const { name = 'scanner.test', keys = ecKeys(), issuer, serial = '1a2b3c', hash = 'sha256' } = options;
  const { from = new Date('2020-01-01T00:00:00Z'), until = new Date('2060-01-01T00:00:00Z') } = options;
  const signer = issuer?.keys ?? keys;
  const algorithm = algorithmOf(signer.privateKey, hash);
  const publicKey = keys.publicKey.export({ format: 'der', type: 'spki' });
  const content = new TBSCertificate({
    version: Version.v3,
    serialNumber: integer(serial),
    signature: algorithm,
    issuer: nameOf(issuer?.name ?? name),
    validity: new Validity({ notBefore: from, notAfter: until }),
    subject: nameOf(name),
    subjectPublicKeyInfo: AsnConvert.parse(publicKey, SubjectPublicKeyInfo),
    extensions: new Extensions(extensionsOf(options)),
  });
  const digest = ownHash.has(signer.privateKey.asymmetricKeyType ?? '') ? null : hash;
  const signature = sign(digest, Buffer.from(AsnConvert.serialize(content)), signer.privateKey);
  const certificate = new Certificate({
    tbsCertificate: content,
    signatureAlgorithm: algorithm,
    signatureValue: arrayBuffer(signature),
  });
  return { name, keys, certificate: pem('CERTIFICATE', Buffer.from(AsnConvert.serialize(certificate))) };
}

/** A chain of certificates, leaf first. Each is issued by the next; the last one is self-signed. */
export function chain(length: number, options: CertificateOptions = {}): readonly Issued[] {
  let issuer: Issued | undefined;
  const issued: Issued[] = [];
  for (let place = length; place > 1; place--) {
    issuer = issue({ name: `Authority ${place}`, ca: true, issuer });
    issued.unshift(issuer);
  }
  return [issue({ ...options, issuer }), ...issued];
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

function algorithmOf(key: KeyObject, hash: NonNullable<CertificateOptions['hash']>): AlgorithmIdentifier {
  const own = ownHash.get(key.asymmetricKeyType ?? '');
  if (own !== undefined) return new AlgorithmIdentifier({ algorithm: own });
  if (key.asymmetricKeyType === 'ec') return new AlgorithmIdentifier({ algorithm: algorithms.ec[hash] });
  return new AlgorithmIdentifier({ algorithm: algorithms.rsa[hash], parameters: null });
}

function nameOf(name: string): Name {
  const part = (type: string, utf8String: string) =>
    new RelativeDistinguishedName([
      new AttributeTypeAndValue({ type, value: new AttributeValue({ utf8String }) }),
    ]);
  return new Name([part('2.5.4.10', 'Scanner tests'), part('2.5.4.3', name)]);
}

function extensionsOf({
  names = ['localhost', '127.0.0.1'],
  ca = false,
  usages,
  keyUsage,
}: CertificateOptions): Extension[] {
  const extension = (extnID: string, value: object, critical = false) =>
    new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
  return [
    extension(id_ce_basicConstraints, new BasicConstraints({ cA: ca }), true),
    ...(ca || names.length === 0
      ? []
      : [extension(id_ce_subjectAltName, new SubjectAlternativeName(names.map(alternativeName)))]),
    ...(keyUsage === undefined ? [] : [extension(id_ce_keyUsage, new KeyUsage(keyUsage), true)]),
    ...(usages === undefined ? [] : [extension(id_ce_extKeyUsage, new ExtendedKeyUsage([...usages]))]),
  ];
}

function alternativeName(name: string): GeneralName {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(name)) return new GeneralName({ iPAddress: name });
  return new GeneralName({ dNSName: name });
}

/** A positive number from its digits in hex: a first bit that is set would make it negative. */
function integer(hex: string): ArrayBuffer {
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return arrayBuffer((bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Buffer.of(0), bytes]));
}

function arrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
