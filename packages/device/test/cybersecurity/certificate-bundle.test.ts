import { createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import {
  type BundleData,
  bundleOf,
  chain,
  ecKeys,
  type Issued,
  issue,
  keyPem,
  pem,
  rsaKeys,
} from '@azimuth/test-support/certificates';
import { object } from '@azimuth/test-support/json';
import { TestDevice } from '@azimuth/test-support/test-device';
import { KeyUsageFlags } from '@peculiar/asn1-x509';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';

const none = { error: 'None' };
let shared: TestDevice;

beforeEach(async () => {
  shared = await TestDevice.open();
});

const respond = (data: BundleData) => shared.respond('setCertificateBundle', { ...data });
const rsa = rsaKeys();

async function expectAccepted(data: BundleData): Promise<void> {
  expect(await respond(data)).toEqual({ success: true, errorCode: none });
}

async function expectRefused(data: BundleData, error: string): Promise<void> {
  expect(error.length).toBeLessThanOrEqual(100);
  const before = shared.device.features.https.bundle;
  const writes = shared.storage.begun.length;
  expect(await respond(data)).toEqual({ success: false, errorCode: { error } });
  expect(shared.device.features.https.bundle).toBe(before);
  expect(shared.storage.begun.length).toBe(writes);
}

/** The bundle with another content instead of its certificates, or of its key. */
const certificates = (contentCertificateBundle: string): BundleData => ({
  ...bundleOf([leaf]),
  contentCertificateBundle,
});
const key = (contentPrivateKey: string): BundleData => ({ ...bundleOf([leaf]), contentPrivateKey });

/** Keys of so many bits that nobody has made: real ones take minutes. */
function longRsa(bits: number) {
  const ones = (bytes: number) => Buffer.alloc(bytes, 0xff);
  const modulus = ones(bits / 8);
  // PKCS #1, because OpenSSL 3.5 checks keys in JWK: version, modulus, exponent, and six numbers.
  const numbers = [[0], [0, ...modulus], [1, 0, 1], ...Array(6).fill([0, ...ones(4)])];
  const integers = numbers.map((content) => der(0x02, Buffer.from(content)));
  const key = der(0x30, Buffer.concat(integers));
  return {
    publicKey: createPublicKey({
      key: { kty: 'RSA', n: modulus.toString('base64url'), e: 'AQAB' },
      format: 'jwk',
    }),
    privateKey: createPrivateKey({ key, format: 'der', type: 'pkcs1' }),
  };
}

/** Returns a value of DER with its tag and its length in two bytes. */
function der(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag, 0x82, content.length >> 8, content.length & 0xff]), content]);
}

const leaf = issue();
const four = chain(4);
const [first, second, third] = chain(3);

describe('a bundle is accepted', () => {
  test.each([1, 2, 3, 4])('with a chain of %i, up to the one that signs itself', async (length) => {
    await expectAccepted(bundleOf(chain(length)));
  });

  test('without the certificate at the end of the chain, which clients have', async () => {
    await expectAccepted(bundleOf(chain(3).slice(0, 2)));
  });

  test.each([
    ['RSA', rsa],
    ['P-256', ecKeys('P-256')],
    ['P-384', ecKeys('P-384')],
    ['P-521', ecKeys('P-521')],
    ['secp256k1', ecKeys('secp256k1')],
    ['brainpoolP384r1', ecKeys('brainpoolP384r1')],
    ['sect283k1', ecKeys('sect283k1')],
    ['Ed25519', generateKeyPairSync('ed25519')],
    ['Ed448', generateKeyPairSync('ed448')],
  ])('with a key of the kind %s', async (_, keys) => {
    await expectAccepted(bundleOf([issue({ keys })]));
  });

  test.each([
    ['pkcs1', rsa],
    ['sec1', ecKeys()],
  ] as const)('with a key in the form %s', async (type, keys) => {
    const data = bundleOf([issue({ keys })]);
    await expectAccepted({
      ...data,
      contentPrivateKey: keys.privateKey.export({ format: 'pem', type }).toString(),
    });
  });

  test('as tools write it: with text around the blocks, other line ends, and the name of the curve', async () => {
    const { contentCertificateBundle, contentPrivateKey } = bundleOf([leaf]);
    await expectAccepted({
      contentCertificateBundle: `subject=CN = scanner\r\n${contentCertificateBundle.replaceAll('\n', '\r\n')}\r\n`,
      contentPrivateKey: `-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n${contentPrivateKey}`,
    });
  });

  test.each([[['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']], [['2.5.29.37.0']]])(
    'for the usages %j',
    async (usages) => {
      await expectAccepted(bundleOf([issue({ usages })]));
    },
  );
});

describe('certificates are refused', () => {
  const text = bundleOf([leaf]).contentCertificateBundle;
  const damaged = text.replace(/\n.{8}/, '\nAAAAAAAA');
  const outOfOrder = 'The certificates are out of order: the leaf comes first, then its issuer, and so on';

  test.each([
    ['that are none', '', 'The certificates are missing: expected PEM with BEGIN CERTIFICATE'],
    ['that are no PEM', 'MIIB', 'The certificates are missing: expected PEM with BEGIN CERTIFICATE'],
    ['cut off', text.slice(0, -30), 'The certificates: a BEGIN line has no END line'],
    ['cut off in their first line', text.slice(0, 12), 'The certificates: a BEGIN line has no END line'],
    [
      'of which one is cut off in the middle',
      `${text.slice(0, 100)}\n${text}`,
      'The certificates: a BEGIN line has no END line',
    ],
    ['with bytes that are no certificate', damaged, 'Certificate 1 cannot be read: its PEM is damaged'],
    [
      'without lines between',
      text.replace(/-\n[^-]*-/, '-\n-'),
      'Certificate 1 cannot be read: its PEM is damaged',
    ],
    [
      'of which a line is lost',
      text.replace(/\n.{64}\n/, '\n'),
      'Certificate 1 cannot be read: its PEM is damaged',
    ],
    ['of which the second is damaged', text + damaged, 'Certificate 2 cannot be read: its PEM is damaged'],
    [
      'with their key',
      text + keyPem(leaf.keys),
      'The certificates contain a private key; put it into contentPrivateKey only',
    ],
    [
      'with anything else',
      text.replaceAll('CERTIFICATE', 'CERTIFICATE REQUEST'),
      'The certificates contain something other than certificates: expected only BEGIN CERTIFICATE',
    ],
    ['that are more than four', bundleOf(chain(5)).contentCertificateBundle, 'More than 4 certificates'],
    ['that come twice', text + text, 'Certificate 2 appears twice'],
  ])('%s', async (_, content, error) => {
    await expectRefused(certificates(content), error);
  });

  test.each<[string, readonly (Issued | undefined)[], string]>([
    ['reversed', [...four].reverse(), outOfOrder],
    ['reversed, a chain of two', [second, first], outOfOrder],
    ['with two that changed places', [first, third, second], outOfOrder],
    ['with a gap', [first, third], 'Certificate 1 was not issued by certificate 2'],
    [
      'with a stranger behind',
      [leaf, issue({ name: 'Stranger', ca: true })],
      'Certificate 1 was not issued by certificate 2',
    ],
    [
      'with an issuer of the same name and another key',
      [first, issue({ name: 'Authority 2', ca: true })],
      'Certificate 1 was not issued by certificate 2',
    ],
  ])('%s', async (_, issued, error) => {
    await expectRefused(bundleOf(issued.flatMap((one) => one ?? [])), error);
  });

  test('issued by a certificate that is not an authority', async () => {
    const issuer = issue({ name: 'No authority' });
    await expectRefused(
      bundleOf([issue({ issuer }), issuer]),
      'Certificate 2 is not a CA certificate, so it may not issue others',
    );
  });

  test.each([
    ['RSA of 2048 bits', rsaKeys(2048), 'RSA of 2048 bits, not 3073 to 8192'],
    [
      'RSA of 3072 bits',
      { ...ecKeys(), publicKey: longRsa(3072).publicKey },
      'RSA of 3072 bits, not 3073 to 8192',
    ],
    ['the curve P-224', ecKeys('P-224'), 'EC on secp224r1, not on one of more than 250 bits'],
    ['the curve prime239v1', ecKeys('prime239v1'), 'EC on prime239v1, not on one of more than 250 bits'],
    [
      'RSA-PSS',
      generateKeyPairSync('rsa-pss', { modulusLength: 2048 }),
      'rsa-pss, not RSA, EC, Ed25519 or Ed448',
    ],
  ])('with a key of %s', async (_, keys, why) => {
    const issuer = issue({ ca: true });
    await expectRefused(
      bundleOf([issue({ keys, issuer }), issuer]),
      `The key of certificate 1 is not accepted: ${why}`,
    );
  });

  test('with a key that belongs to another certificate of Ed448', async () => {
    const keys = generateKeyPairSync('ed448');
    await expectRefused(
      bundleOf([issue({ keys })], generateKeyPairSync('ed448')),
      'The private key does not belong to certificate 1',
    );
  });

  test('an RSA key above 8192 bits, of a certificate or alone', async () => {
    const issuer = issue({ ca: true });
    const long = longRsa(8200);
    const weak = 'is not accepted: RSA of 8200 bits, not 3073 to 8192';
    const keys = { ...ecKeys(), publicKey: long.publicKey };
    await expectRefused(bundleOf([issue({ keys, issuer }), issuer]), `The key of certificate 1 ${weak}`);
    await expectRefused(key(keyPem(long)), `The private key ${weak}`);
    // Keys of 3080 and 8192 bits pass this check. The next one is whether the key belongs to the certificate.
    for (const bits of [3080, 8192]) {
      const accepted = { ...ecKeys(), publicKey: longRsa(bits).publicKey };
      await expectRefused(
        bundleOf([issue({ keys: accepted, issuer }), issuer]),
        'The private key does not belong to certificate 1',
      );
    }
  });

  test('with a weak key further up', async () => {
    const issuer = issue({ name: 'Weak', ca: true, keys: rsaKeys(1024) });
    await expectRefused(
      bundleOf([issue({ issuer }), issuer]),
      'The key of certificate 2 is not accepted: RSA of 1024 bits, not 2048 to 8192',
    );
  });

  test.each([
    ['sha1', rsa],
    ['md5', rsa],
    ['sha1', ecKeys()],
  ] as const)('signed with %s', async (hash, keys) => {
    const error = 'The signature of certificate 1 is not accepted: RSA or ECDSA with SHA-2, or EdDSA';
    await expectRefused(bundleOf([issue({ keys, hash })]), error);
  });

  test('for anything but signatures', async () => {
    const error = 'Certificate 1 is not for servers: its key usage lacks digitalSignature';
    await expectRefused(bundleOf([issue({ keyUsage: KeyUsageFlags.keyEncipherment })]), error);
    await expectAccepted(
      bundleOf([issue({ keyUsage: KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment })]),
    );
  });

  test('for clients only', async () => {
    const error = 'Certificate 1 is not for servers: its extended key usage lacks serverAuth';
    await expectRefused(bundleOf([issue({ usages: ['1.3.6.1.5.5.7.3.2'] })]), error);
  });
});

/** A certificate with other bytes in one place. A single certificate needs no valid signature. */
function altered({ certificate }: Issued, before: string, after: string): string {
  const bytes = new X509Certificate(certificate).raw;
  const at = bytes.indexOf(before, 0, 'latin1');
  expect(at).toBeGreaterThan(0);
  bytes.write(after, at, 'latin1');
  return pem('CERTIFICATE', bytes);
}

describe('a certificate that OpenSSL reads is refused', () => {
  test('for dates that are none', async () => {
    const content = altered(leaf, '200101000000Z', '201301000000Z');
    await expectRefused(certificates(content), 'The dates of a certificate cannot be read');
    const letters = altered(leaf, '200101000000Z', '20010100000xZ');
    await expectRefused(certificates(letters), 'The dates of a certificate cannot be read');
  });

  test('for a subject of a type that ASN.1 does not have', async () => {
    const content = altered(leaf, '\x0c\x0cscanner.test', '\x0f\x0cscanner.test');
    await expectRefused(certificates(content), 'Certificate 1 cannot be read: its PEM is damaged');
  });

  test('for a key usage that is not a bit string', async () => {
    const signing = issue({ keys: leaf.keys, keyUsage: KeyUsageFlags.digitalSignature });
    const content = altered(signing, '\x03\x02\x07\x80', '\x04\x02\x07\x80');
    const error = 'Certificate 1 is not for servers: its key usage lacks digitalSignature';
    await expectRefused(certificates(content), error);
  });
});

test('with any damaged bytes, the response says whether the bundle was accepted', async () => {
  const signing = issue({ keyUsage: KeyUsageFlags.digitalSignature, usages: ['1.3.6.1.5.5.7.3.1'] });
  const whole = new X509Certificate(signing.certificate).raw;
  const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 4 });
  const length = fc.oneof(fc.constant(whole.length), fc.nat(whole.length));
  await fc.assert(
    fc.asyncProperty(damage, length, async (bytes, end) => {
      const content = Buffer.from(whole);
      for (const [at, byte] of bytes) content[at] = byte;
      const contentCertificateBundle = pem('CERTIFICATE', content.subarray(0, end));
      const { success, errorCode } = object(
        await respond({ ...bundleOf([signing]), contentCertificateBundle }),
      );
      const { error } = object(errorCode);
      expect(error === 'None').toBe(success);
      expect(String(error).length).toBeLessThanOrEqual(100);
    }),
    { numRuns: 500 },
  );
});

describe('dates are those of the host, to the second', () => {
  const now = Date.UTC(2026, 0, 15, 12, 0, 0);
  const at = (milliseconds: number) => new Date(now + milliseconds);

  test('accepted from the first second to the last', async () => {
    await expectAccepted(bundleOf([issue({ from: at(0), until: at(0) })]));
  });

  test('refused when over', async () => {
    const error = 'Certificate 1 has expired: it was valid until 2026-01-15T11:59:59.000Z';
    await expectRefused(bundleOf([issue({ until: at(-1000) })]), error);
  });

  test('refused when not begun, further up too', async () => {
    const issuer = issue({ name: 'Tomorrow', ca: true, from: at(1000) });
    const error = 'Certificate 2 is not valid before 2026-01-15T12:00:01.000Z';
    await expectRefused(bundleOf([issue({ issuer }), issuer]), error);
  });

  test('whatever the clock of the scanner says', async () => {
    const testDevice = await TestDevice.open();
    const DateTime = {
      uiYear: 1999,
      usiMonth: 1,
      usiDay: 1,
      usiHour: 0,
      usiMinute: 0,
      usiSec: 0,
      udiUSec: 0,
    };
    expect(await testDevice.respond('LSPsetdatetime', { DateTime })).toEqual({ ErrorCode: 0 });
    expect(await testDevice.respond('setCertificateBundle', bundleOf([leaf]))).toEqual({
      success: true,
      errorCode: none,
    });
  });
});

describe('a key is refused', () => {
  const text = keyPem(leaf.keys);
  const encrypted = leaf.keys.privateKey
    .export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'secret' })
    .toString();
  const oldEncrypted = leaf.keys.privateKey
    .export({ format: 'pem', type: 'sec1', cipher: 'aes-256-cbc', passphrase: 'secret' })
    .toString();
  const publicKey = leaf.keys.publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const missing = 'The private key is missing: expected PEM with BEGIN PRIVATE KEY';

  test.each([
    ['that is none', '', missing],
    ['that is no PEM', 'secret', missing],
    ['that is public', publicKey, missing],
    ['that is a certificate', leaf.certificate, missing],
    ['cut off', text.slice(0, -30), 'The private key: a BEGIN line has no END line'],
    ['with another one', text + text, 'The private key must be the only PEM block'],
    ['with its certificate', text + leaf.certificate, 'The private key must be the only PEM block'],
    ['that is encrypted', encrypted, 'The private key is encrypted: send it without a passphrase'],
    [
      'that is encrypted as of old',
      oldEncrypted,
      'The private key is encrypted: send it without a passphrase',
    ],
    [
      'that is damaged',
      text.replace(/\n.{8}/, '\nAAAAAAAA'),
      'The private key cannot be read: its PEM is damaged',
    ],
    [
      'of the same kind of another certificate',
      keyPem(ecKeys()),
      'The private key does not belong to certificate 1',
    ],
    ['of another kind', keyPem(rsa), 'The private key does not belong to certificate 1'],
    ['of the issuer', keyPem(second?.keys ?? rsa), 'The private key does not belong to certificate 1'],
  ])('%s', async (_, content, error) => {
    await expectRefused(key(content), error);
  });

  test('whose public half is right and whose private half is not', async () => {
    const other = ecKeys();
    const sec1 = leaf.keys.privateKey.export({ format: 'der', type: 'sec1' });
    const foreign = other.privateKey.export({ format: 'der', type: 'sec1' });
    // ECPrivateKey: version (3 bytes), then an octet string of 32 bytes.
    foreign.copy(sec1, 7, 7, 39);
    const content = `-----BEGIN EC PRIVATE KEY-----\n${sec1.toString('base64')}\n-----END EC PRIVATE KEY-----`;
    const response = await respond(key(content));
    expect(response).toMatchObject({
      success: false,
      errorCode: { error: expect.stringContaining('The private key') },
    });
  });
});

test('a scanner that accepts short keys has an RSA key of 2048 bits, and keeps it when it accepts none any more', async () => {
  const short = bundleOf([issue({ keys: rsaKeys(2048) })]);
  const lenient = await TestDevice.open({ acceptsShortKeys: true });
  expect(await lenient.respond('setCertificateBundle', { ...short })).toMatchObject({ success: true });
  const again = await lenient.afterPowerCut();
  expect(again.device.features.https.bundle?.uuid).toBe(lenient.device.features.https.bundle?.uuid);
  expect(await again.respond('setCertificateBundle', { ...short })).toMatchObject({ success: false });
});

test('texts that are longer than the specification allows are out of bounds', async () => {
  const { contentCertificateBundle, contentPrivateKey } = bundleOf([leaf]);
  const long = (text: string, length: number) => text.padStart(length, ' ');
  await expectAccepted({
    contentCertificateBundle: long(contentCertificateBundle, 10_000),
    contentPrivateKey: long(contentPrivateKey, 4000),
  });
  await expect(respond(certificates(long(contentCertificateBundle, 10_001)))).rejects.toMatchObject({
    code: 7,
  });
  await expect(respond(key(long(contentPrivateKey, 4001)))).rejects.toMatchObject({ code: 7 });
});
