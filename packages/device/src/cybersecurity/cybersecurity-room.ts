import { cybersecurity } from '@azimuth/model';
import { act, computed, type Room } from '../room.js';
import { BundleFault } from './bundle-fault.js';
import type { Https } from './https.js';

const { httpsStatus, certificateBundleInfo, setCertificateBundle, removeCertificateBundle } =
  cybersecurity.members;

/** Certificates and HTTPS. */
export function cybersecurityRoom(https: Https): Room {
  return {
    computed: [
      computed(httpsStatus, () => ({ enabled: https.isUp, errorCode: { error: https.error } })),
      computed(certificateBundleInfo, () => ({
        uuidBundle: https.bundle?.uuid ?? '',
        certificates: https.bundle?.descriptions ?? [],
        errorCode: { error: https.bundleError },
      })),
    ],
    acts: [
      act(setCertificateBundle, async ({ contentCertificateBundle, contentPrivateKey }, { log }) => {
        try {
          const { uuid, certificates } = await https.set(contentCertificateBundle, contentPrivateKey);
          const [leaf] = certificates;
          log.info('A certificate bundle was set', { uuid, fingerprint: leaf?.fingerprint256 });
        } catch (error) {
          if (!(error instanceof BundleFault)) throw error;
          log.warn('A certificate bundle was refused', { reason: error.message });
          return { success: false, errorCode: { error: error.message } };
        }
        return { success: true, errorCode: { error: https.error } };
      }),
      act(removeCertificateBundle, async (_, { log, afterwards }) => {
        await https.remove();
        log.info('The certificate bundle was removed');
        afterwards(() => void https.follow());
        return { success: true, errorCode: { error: 'None' } };
      }),
    ],
  };
}
