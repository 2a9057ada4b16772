import { call, get, post } from '../../steps/index.js';
import { caseList, type ListedCase } from '../case-list.js';
import { decided, guide, info, set } from './bundle-steps.js';
import * as pem from './certificates.js';
import * as weak from './weak-certificates.js';

/** A bundle that is refused. What the scanner had before stays in use. */
function refused(
  id: string,
  what: string,
  certificates: string,
  key: string,
  more: Partial<ListedCase> = {},
): ListedCase {
  return {
    id,
    clause: `${what} is refused: success false, with the reason in errorCode, and the bundle before stays.`,
    steps: [
      info({}, { before: 'data.certificateBundleInfo' }),
      set(certificates, key, false, {
        errorCode: { exactly: { error: { pattern: '^(?!None$).{1,100}$' } } },
      }),
      get('certificateBundleInfo', {
        status: 0,
        data: { has: { certificateBundleInfo: { isSaved: 'before' } } },
      }),
    ],
    ...more,
  };
}

/** A request of setCertificateBundle that answers another status than 0. */
function wrong(id: string, clause: string, status: number, data: Parameters<typeof call>[1]): ListedCase {
  return { id, clause, steps: [call('setCertificateBundle', data, { status })] };
}

/** Bundles that are refused. */
export const refusedBundles = caseList(
  'tls.refused',
  {
    place: 'specification: setCertificateBundle',
    level: 'must',
    stage: 'write',
    names: ['setCertificateBundle'],
  },
  refused('empty', 'A bundle of empty texts', '', ''),
  refused('no-pem', 'A text that is no PEM', 'certificate', 'key'),
  refused('damaged', 'A certificate with damaged PEM', pem.ownCertificate.replace('MII', 'MIX'), pem.ownKey),
  refused('no-end', 'A certificate without its last line', pem.ownCertificate.slice(0, -30), pem.ownKey),
  refused('no-key', 'A bundle without a private key', pem.ownCertificate, ''),
  refused(
    'other-key',
    'A private key that does not belong to the certificate',
    pem.ownCertificate,
    pem.otherKey,
  ),
  refused(
    'encrypted-key',
    'A private key with a passphrase',
    pem.ownCertificate,
    pem.ownKeyEncrypted,
    decided,
  ),
  refused(
    'key-among-certificates',
    'A private key among the certificates',
    pem.ownCertificate + pem.ownKey,
    pem.ownKey,
    decided,
  ),
  refused(
    'certificate-as-key',
    'A certificate in place of the private key',
    pem.ownCertificate,
    pem.ownCertificate,
    decided,
  ),
  refused('two-keys', 'Two private keys', pem.ownCertificate, pem.ownKey + pem.otherKey, decided),
  refused('rsa-2048', 'An RSA key of 2048 bits', weak.weakRsa, weak.weakRsaKey, guide),
  refused(
    'rsa-3072',
    'An RSA key of 3072 bits: it needs more',
    weak.nearlyLongRsa,
    weak.nearlyLongRsaKey,
    guide,
  ),
  refused('curve', 'A key on a curve of 224 bits', weak.weakCurve, weak.weakCurveKey, guide),
  refused('sha-1', 'A signature with SHA-1', pem.sha1Certificate, pem.ownKey, decided),
  refused('expired', 'A certificate that has expired', pem.expiredCertificate, pem.ownKey, decided),
  refused('later', 'A certificate that is not valid yet', pem.laterCertificate, pem.ownKey, decided),
  refused(
    'for-clients',
    'A certificate that is for clients only',
    pem.clientCertificate,
    pem.ownKey,
    decided,
  ),
  refused(
    'issuer-first',
    'A chain whose issuer comes first',
    pem.authorityCertificate + pem.leafCertificate,
    pem.ownKey,
    decided,
  ),
  refused(
    'unlinked',
    'Certificates of which none was issued by the other',
    pem.ownCertificate + pem.otherCertificate,
    pem.ownKey,
    decided,
  ),
  refused(
    'no-authority',
    'A chain with an issuer that may not issue',
    pem.leafOfNoAuthority + pem.noAuthority,
    pem.ownKey,
    decided,
  ),
  refused(
    'twice',
    'The same certificate twice',
    pem.ownCertificate + pem.ownCertificate,
    pem.ownKey,
    decided,
  ),
  refused('five', 'A chain of five certificates', pem.fiveCertificates, pem.ownKey, {
    place: 'specification: Limits',
  }),
  refused('longest', 'A text of 10,000 characters that is no PEM', 'x'.repeat(10_000), 'x'.repeat(4000), {
    place: 'specification: Limits',
  }),
  wrong('too-long', 'contentCertificateBundle of more than 10,000 characters answers status 7.', 7, {
    contentCertificateBundle: 'x'.repeat(10_001),
    contentPrivateKey: pem.ownKey,
  }),
  wrong('key-too-long', 'contentPrivateKey of more than 4000 characters answers status 7.', 7, {
    contentCertificateBundle: pem.ownCertificate,
    contentPrivateKey: 'x'.repeat(4001),
  }),
  wrong('wrong-type', 'A text of setCertificateBundle that is no text answers status 2.', 2, {
    contentCertificateBundle: [pem.ownCertificate],
    contentPrivateKey: pem.ownKey,
  }),
  wrong('missing', 'setCertificateBundle without the private key answers status 1.', 1, {
    contentCertificateBundle: pem.ownCertificate,
  }),
  {
    id: 'without-login',
    clause: 'setCertificateBundle without a login answers status 4.',
    steps: [
      post(
        'setCertificateBundle',
        { status: 4 },
        { data: { contentCertificateBundle: '', contentPrivateKey: '' } },
      ),
    ],
  },
);
