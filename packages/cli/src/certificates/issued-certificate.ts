import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIP } from 'node:net';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import { CommandFailure } from '../command-failure.js';

/** A certificate and its private key, in PEM. */
export interface IssuedCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

/** The signer of a certificate. */
export interface Issuer {
  readonly certificate: X509Certificate;
  readonly privateKey: KeyObject;
}

interface Validities {
  readonly from: Date;
  readonly until: Date;
}

const commonName = '2.5.4.3';

/** Issues the certificate of an authority by itself. Its key is EC on P-256: every client knows that curve. */
export function issueAuthority(name: string, validity: Validities): IssuedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = nameOf(name);
  const certificate = signed(privateKey, publicKey, {
    subject,
    issuer: subject,
    validity,
    extensions: [
      extension(id_ce_basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 }), true),
      extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign), true),
    ],
  });
  return { certificate, privateKey: keyText(privateKey) };
}

/**
 * Issues the certificate of a scanner, with a new key: EC on P-256.
 * @param names host names and addresses, at least one; clients compare them with the URL
 */
export function issueForScanner(
  issuer: Issuer,
  label: string,
  names: readonly string[],
  validity: Validities,
): IssuedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const authority = AsnConvert.parse(issuer.certificate.raw, Certificate).tbsCertificate;
  const keyId = keyIdentifier(issuer.certificate.publicKey);
  const certificate = signed(issuer.privateKey, publicKey, {
    subject: nameOf(label),
    issuer: authority.subject,
    validity,
    extensions: [
      extension(id_ce_basicConstraints, new BasicConstraints({ cA: false }), true),
      extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature), true),
      extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth])),
      extension(id_ce_subjectAltName, new SubjectAlternativeName(names.map(alternativeName))),
      extension(
        id_ce_authorityKeyIdentifier,
        new AuthorityKeyIdentifier({ keyIdentifier: statedKeyId(authority) ?? new KeyIdentifier(keyId) }),
      ),
    ],
  });
  return { certificate, privateKey: keyText(privateKey) };
}

interface Content {
  readonly subject: Name;
  readonly issuer: Name;
  readonly validity: Validities;
  readonly extensions: readonly Extension[];
}

function signed(signer: KeyObject, publicKey: KeyObject, content: Content): string {
  const { algorithm, hash } = signatureOf(signer);
  const { subject, issuer, validity, extensions } = content;
  const keyId = new SubjectKeyIdentifier(keyIdentifier(publicKey));
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: newSerialNumber(),
    signature: algorithm,
    issuer,
    validity: new Validity({ notBefore: validity.from, notAfter: validity.until }),
    subject,
    subjectPublicKeyInfo: AsnConvert.parse(
      publicKey.export({ format: 'der', type: 'spki' }),
      SubjectPublicKeyInfo,
    ),
    extensions: new Extensions([...extensions, extension(id_ce_subjectKeyIdentifier, keyId)]),
  });
  const signature = sign(hash, Buffer.from(AsnConvert.serialize(tbsCertificate)), signer);
  const certificate = new Certificate({
    tbsCertificate,
    signatureAlgorithm: algorithm,
    signatureValue: new Uint8Array(signature).buffer,
  });
  return new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString();
}

/** Returns how a key signs. @throws CommandFailure for a kind of key that scanners do not accept */
function signatureOf(key: KeyObject): { algorithm: AlgorithmIdentifier; hash: string | null } {
  switch (key.asymmetricKeyType) {
    case 'ec':
      return { algorithm: new AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' }), hash: 'sha256' };
    case 'rsa': {
      const algorithm = new AlgorithmIdentifier({ algorithm: '1.2.840.113549.1.1.11', parameters: null });
      return { algorithm, hash: 'sha256' };
    }
    case 'ed25519':
      return { algorithm: new AlgorithmIdentifier({ algorithm: '1.3.101.112' }), hash: null };
    default:
      throw new CommandFailure(
        `the key of the authority is of kind ${key.asymmetricKeyType}: expected RSA, EC or Ed25519`,
      );
  }
}

/** The identifier of a public key: the SHA-1 of its bits (RFC 5280 §4.2.1.2). */
function keyIdentifier(key: KeyObject): ArrayBuffer {
  const info = AsnConvert.parse(key.export({ format: 'der', type: 'spki' }), SubjectPublicKeyInfo);
  return new Uint8Array(createHash('sha1').update(Buffer.from(info.subjectPublicKey)).digest()).buffer;
}

/** Returns the identifier that an authority states of its key. */
function statedKeyId({ extensions }: TBSCertificate): KeyIdentifier | undefined {
  const stated = extensions?.find(({ extnID }) => extnID === id_ce_subjectKeyIdentifier);
  return stated && new KeyIdentifier(AsnConvert.parse(stated.extnValue.buffer, SubjectKeyIdentifier).buffer);
}

function nameOf(name: string): Name {
  return new Name([
    new RelativeDistinguishedName([
      new AttributeTypeAndValue({
        type: commonName,
        value: new AttributeValue({ utf8String: name.slice(0, 64) }),
      }),
    ]),
  ]);
}

function alternativeName(name: string): GeneralName {
  return new GeneralName(isIP(name) > 0 ? { iPAddress: name } : { dNSName: name });
}

function extension(extnID: string, content: unknown, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(content)) });
}

/** 16 random bytes; the first bit is 0, since the number is positive. */
function newSerialNumber(): ArrayBuffer {
  const bytes = new Uint8Array(randomBytes(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.buffer;
}

function keyText(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'pkcs8' }).toString();
}
