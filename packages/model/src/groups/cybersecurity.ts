import { group, method, variable } from '../declaration.js';
import type { LoginLevel } from '../envelope.js';
import { isFrom, type Release } from '../release.js';
import { array } from '../types/array.js';
import { boolean } from '../types/enumeration.js';
import { string } from '../types/string.js';
import { struct } from '../types/struct.js';

/**
 * Returns true if this level can log in, over REST and over the legacy protocol, to a scanner that was delivered with
 * this release. From 2.1.0 on only Service can, before that all levels (specification, Cybersecurity and Versioning 9).
 */
export function enabledAtFactory(level: LoginLevel, release: Release): boolean {
  return level === 'Service' || !isFrom(release, '2.1.0');
}

/** Factory passwords for REST and for the legacy protocol. They are public. */
export const factoryPasswords: Readonly<Record<LoginLevel, string>> = {
  Maintenance: 'main',
  AuthorizedClient: 'client',
  Service: 'servicelevel',
};

/** Problem of HTTPS, in a word; `None` if there is none. */
const httpsError = struct({ error: string({ maxLength: 100, initial: 'None' }) });

/** Time as certificates write it: always 24 characters. */
const validity = () => string({ minLength: 24, maxLength: 24, initial: ' '.repeat(24) });

const certificate = struct({
  names: array(struct({ entry: string({ maxLength: 1000 }) }), { maxItems: 20 }),
  issuer: string({ maxLength: 1000 }),
  subject: string({ maxLength: 1000 }),
  serialNumber: string({ maxLength: 119 }),
  fingerprint: string({ maxLength: 119 }),
  validNotBefore: validity(),
  validNotAfter: validity(),
});

export const cybersecurity = group('Cybersecurity', {
  httpsStatus: variable(struct({ enabled: boolean(), errorCode: httpsError }), {
    since: '2.1.0',
    text: 'Whether HTTPS is open. If it is not, the reason.',
  }),
  certificateBundleInfo: variable(
    struct({
      uuidBundle: string({ maxLength: 100 }),
      certificates: array(certificate, { maxItems: 4 }),
      errorCode: httpsError,
    }),
    {
      since: '2.1.0',
      text: 'The certificates of HTTPS. The certificate of the scanner comes first, then those of its issuers.',
    },
  ),
  setCertificateBundle: method({
    level: 'Service',
    since: '2.1.0',
    request: {
      contentCertificateBundle: string({ maxLength: 10_000, lines: true }),
      contentPrivateKey: string({ maxLength: 4000, lines: true }),
    },
    secrets: ['contentCertificateBundle', 'contentPrivateKey'],
    response: { success: boolean(), errorCode: httpsError },
    done: { success: true },
    text: 'Sets the certificates and the private key of HTTPS (PEM), and opens HTTPS.',
  }),
  removeCertificateBundle: method({
    level: 'Service',
    since: '2.1.0',
    response: { success: boolean(), errorCode: httpsError },
    done: { success: true },
    loses: 'the certificates and the private key, which no scanner gives back',
    text: 'Removes the certificates and the private key, and closes HTTPS.',
  }),
});
