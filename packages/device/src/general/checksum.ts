import { createHash } from 'node:crypto';
import { general, type Release } from '@azimuth/model';
import { computed, type Feature } from '../feature.js';
import type { Identity } from '../identity/identity.js';
import type { ValueSet } from '../parameters/parameters.js';

interface Options {
  readonly identity: Identity;
  /** The parameters as they lie on disk. */
  readonly stored: () => ValueSet;
  readonly release: () => Release;
  /** Could everything that was stored be read? */
  readonly intact: () => boolean;
}

/**
 * Checksums over what the scanner is made of. That of the parameters is taken over the stored values, so it moves
 * when other values are stored and at no other time; those of the software move with the release; that of the
 * calibration never does.
 */
export function checksum({ identity, stored, release, intact }: Options): Feature {
  return {
    computed: [
      computed(general.members.LFTchecksum, () => ({
        MD5SumOK: intact(),
        MD5LinuxRoot: md5(`root file system ${release()}`),
        MD5App: md5(`application ${release()}`),
        MD5Calibration: md5(`calibration ${identity.serialNumber}`),
        MD5Parameters: md5(JSON.stringify(Object.entries(stored()).sort(([a], [b]) => (a < b ? -1 : 1)))),
      })),
    ],
  };
}

function md5(content: string): string {
  return createHash('md5').update(content).digest('hex');
}
