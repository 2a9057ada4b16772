import type { Matcher } from '../../match/matcher.js';
import { call, get, type RequestStep, raw, type Step } from '../../steps/index.js';
import { rightLogin } from '../auth/login.js';
import { caseList, type ListedCase } from '../case-list.js';
import { decided, guide, httpsIs, info, noBundle, none, remove, set } from './bundle-steps.js';
import * as pem from './certificates.js';

/** A bundle that is accepted, what is expected then, and its removal. */
function accepted(
  id: string,
  clause: string,
  [certificates, key]: readonly [string, string],
  ...then: readonly Step[]
): ListedCase {
  return { id, clause, steps: [noBundle, set(certificates, key, true), ...then], cleanup: [remove] };
}

const own = [pem.ownCertificate, pem.ownKey] as const;
const first = (has: Readonly<Record<string, Matcher>>): RequestStep =>
  info({ certificates: { items: { has }, atLeast: 1, atMost: 1 } });

/** Bundles that are accepted. */
export const acceptedBundles = caseList(
  'tls.bundle',
  {
    place: 'specification: setCertificateBundle',
    level: 'must',
    stage: 'destructive',
    names: ['setCertificateBundle'],
  },
  accepted('accepted', 'A certificate with its key on P-256 is accepted: success true.', own),
  {
    ...accepted('no-error', 'setCertificateBundle that succeeds answers the error None.', own),
    level: 'should',
    place: 'family: HTTPS of devices',
    steps: [noBundle, set(...own, true, { errorCode: none })],
  },
  accepted('enabled', 'With a bundle, httpsStatus says that HTTPS is enabled.', own, httpsIs(true)),
  accepted('one-certificate', 'certificateBundleInfo lists the certificate.', own, first({})),
  accepted(
    'names',
    'certificateBundleInfo has the names of a certificate.',
    own,
    first({
      names: {
        items: { exactly: { entry: { pattern: 'localhost|127\\.0\\.0\\.1' } } },
        atLeast: 2,
        atMost: 2,
      },
    }),
  ),
  accepted(
    'subject',
    'certificateBundleInfo has the subject of a certificate.',
    own,
    first({ subject: { pattern: 'scanner\\.test' } }),
  ),
  accepted(
    'issuer',
    'certificateBundleInfo has the issuer of a certificate.',
    [pem.leafCertificate, pem.ownKey],
    first({ issuer: { pattern: 'Authority' }, subject: { pattern: 'leaf\\.test' } }),
  ),
  accepted(
    'serial-number',
    'certificateBundleInfo has the serial number of a certificate.',
    own,
    first({ serialNumber: { pattern: '^0?[bB]:?[aA][dD]:?[cC][aA]:?[fF][eE]$' } }),
  ),
  accepted(
    'fingerprint',
    'certificateBundleInfo has the fingerprint of a certificate: at most 119 characters.',
    own,
    first({ fingerprint: { pattern: '^[0-9A-Fa-f:]{40,119}$' } }),
  ),
  accepted(
    'dates',
    'certificateBundleInfo has the dates of a certificate, 24 characters each.',
    own,
    first({
      validNotBefore: { pattern: '^.{24}$' },
      validNotAfter: { pattern: '^.{24}$' },
    }),
  ),
  {
    ...accepted(
      'iso-dates',
      'The dates of a certificate are written as 2001-01-01T00:00:00.000Z.',
      own,
      first({
        validNotBefore: { is: '2001-01-01T00:00:00.000Z' },
        validNotAfter: { is: '2095-12-31T23:59:59.000Z' },
      }),
    ),
    ...decided,
  },
  accepted(
    'many-names',
    'certificateBundleInfo has at most 20 names of a certificate.',
    [pem.manyNames, pem.ownKey],
    first({
      names: { items: { has: { entry: { present: true } } }, atLeast: 1, atMost: 20 },
    }),
  ),
  accepted(
    'chain',
    'A chain of two certificates is listed with its leaf first.',
    [pem.leafCertificate + pem.authorityCertificate, pem.ownKey],
    get('certificateBundleInfo', {
      status: 0,
      data: {
        has: {
          certificateBundleInfo: {
            has: { certificates: { items: { present: true }, atLeast: 2, atMost: 2 } },
          },
        },
      },
    }),
  ),
  {
    ...accepted('sec-1', 'A private key may be in SEC 1.', [pem.ownCertificate, pem.ownKeySec1]),
    ...decided,
  },
  { ...accepted('ed25519', 'A key of Ed25519 is accepted.', [pem.edCertificate, pem.edKey]), ...guide },
  { ...accepted('p-384', 'A key on P-384 is accepted.', [pem.otherCertificate, pem.otherKey]), ...guide },
  {
    ...accepted('rsa-4096', 'An RSA key of 4096 bits is accepted.', [pem.longRsaCertificate, pem.longRsaKey]),
    ...guide,
  },
  accepted(
    'replaced',
    'Another bundle takes the place of the one before.',
    own,
    set(pem.otherCertificate, pem.otherKey, true),
    first({ subject: { pattern: 'other\\.test' } }),
  ),
  {
    ...accepted(
      'other-uuid',
      'Each bundle has a uuidBundle of its own.',
      own,
      info({ uuidBundle: { pattern: '.' } }, { uuid: 'data.certificateBundleInfo.uuidBundle' }),
      set(pem.otherCertificate, pem.otherKey, true),
      info({ uuidBundle: { not: { isSaved: 'uuid' } } }),
    ),
    ...decided,
  },
  accepted(
    'kept',
    'A bundle that is refused leaves the one before in use.',
    own,
    set(pem.ownCertificate, pem.otherKey, false),
    first({ subject: { pattern: 'scanner\\.test' } }),
    httpsIs(true),
  ),
  accepted(
    'removed',
    'After removeCertificateBundle, certificateBundleInfo has no certificates.',
    own,
    remove,
    info({ certificates: { items: { present: true }, atMost: 0 } }),
  ),
  accepted(
    'disabled',
    'After removeCertificateBundle, httpsStatus says that HTTPS is not enabled.',
    own,
    remove,
    httpsIs(false),
  ),
  {
    id: 'nothing-to-remove',
    clause: 'removeCertificateBundle without a bundle answers success true.',
    ...decided,
    steps: [noBundle, remove],
  },
  {
    ...accepted(
      'serves',
      'With a bundle, HTTPS serves the interface.',
      own,
      get('SerialNumber', { status: 0 }, { over: 'https' }),
    ),
    needs: ['https'],
  },
  {
    ...accepted(
      'logs-in',
      'Over HTTPS, writes and methods work as over HTTP.',
      own,
      call('checkCredentials', undefined, { status: 0 }, { over: 'https' }),
    ),
    needs: ['https'],
  },
  {
    ...accepted(
      'same-rules',
      'Over HTTPS, bytes that are no HTTP are refused as over HTTP.',
      own,
      raw('Good morning!\r\n\r\n', { http: 400, status: 1 }, { over: 'https', closes: true }),
    ),
    level: 'should',
    place: 'Azimuth: limits.md, Connections',
    needs: ['https'],
  },
  {
    ...accepted('http-stays', 'With a bundle, HTTP stays open.', own, rightLogin),
    place: 'guide: HTTPS',
  },
);
