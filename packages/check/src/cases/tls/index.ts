import { get } from '../../steps/index.js';
import type { Area } from '../case.js';
import { caseList } from '../case-list.js';
import { acceptedBundles } from './accepted.js';
import { info } from './bundle-steps.js';
import { refusedBundles } from './refused.js';

/** What a scanner says of HTTPS. */
const states = caseList(
  'tls.state',
  { place: 'specification: Cybersecurity resources', level: 'must', stage: 'read', names: ['httpsStatus'] },
  {
    id: 'https-status',
    clause: 'httpsStatus has the members enabled and errorCode.',
    steps: [
      get('httpsStatus', {
        status: 0,
        data: {
          has: {
            httpsStatus: {
              exactly: {
                enabled: { oneOf: [true, false] },
                errorCode: { exactly: { error: { pattern: '^.{1,100}$' } } },
              },
            },
          },
        },
      }),
    ],
  },
  {
    id: 'https-status-flat',
    clause: 'enabled and errorCode are members of data, too.',
    steps: [
      get('httpsStatus', {
        status: 0,
        data: {
          has: { enabled: { oneOf: [true, false] }, errorCode: { has: { error: { present: true } } } },
        },
      }),
    ],
  },
  {
    id: 'bundle-info',
    clause: 'certificateBundleInfo has the members uuidBundle, certificates, at most 4, and errorCode.',
    steps: [
      info({
        uuidBundle: { pattern: '^.{0,100}$' },
        certificates: { items: { present: true }, atMost: 4 },
        errorCode: { present: true },
      }),
    ],
  },
);

/** HTTPS and its certificates. */
export const tlsArea: Area = {
  name: 'tls',
  title: 'HTTPS and certificates',
  cases: () => [...states, ...refusedBundles, ...acceptedBundles],
};
