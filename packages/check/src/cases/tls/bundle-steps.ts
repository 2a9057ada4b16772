import type { Matcher } from '../../match/matcher.js';
import { call, get, type RequestStep, type Step } from '../../steps/index.js';

/** The scanner has no bundle: one that it has could not be put back. */
export const noBundle = get(
  'certificateBundleInfo',
  {
    status: 0,
    data: {
      has: { certificateBundleInfo: { has: { certificates: { items: { present: true }, atMost: 0 } } } },
    },
  },
  { requires: 'needs a scanner without certificates: a private key cannot be put back' },
);

/** Sets a bundle. */
export function set(
  certificates: string,
  key: string,
  success: boolean,
  more: Readonly<Record<string, Matcher>> = {},
): Step {
  return call(
    'setCertificateBundle',
    { contentCertificateBundle: certificates, contentPrivateKey: key },
    { status: 0, data: { has: { success: { is: success }, ...more } } },
  );
}

export const remove = call('removeCertificateBundle', undefined, {
  status: 0,
  data: { has: { success: { is: true } } },
});

/** Reads what the scanner says of its bundle. */
export function info(
  has: Readonly<Record<string, Matcher>>,
  save: Readonly<Record<string, string>> = {},
): RequestStep {
  return get(
    'certificateBundleInfo',
    { status: 0, data: { has: { certificateBundleInfo: { has } } } },
    { save },
  );
}

export const httpsIs = (enabled: boolean): RequestStep =>
  get('httpsStatus', { status: 0, data: { has: { httpsStatus: { has: { enabled: { is: enabled } } } } } });

export const none: Matcher = { exactly: { error: { is: 'None' } } };

export const decided = { level: 'should', place: 'Azimuth: https.md, Which bundles are accepted' } as const;
export const guide = { level: 'must', place: 'guide: HTTPS' } as const;
