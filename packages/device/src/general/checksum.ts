import { createHash } from 'node:crypto';
import { general, type Release } from '@azimuth/model';
import { computed, type Feature } from '../feature.js';
import type { Identity } from '../identity/identity.js';
import type { Conditions } from '../lifecycle/conditions.js';
import type { StoredState } from '../parameters/stored-state.js';

interface Options {
  readonly identity: Identity;
  readonly firmware: { readonly release: Release };
  readonly state: StoredState;
  readonly conditions: Conditions;
}

/**
 * Checksums of the parts of the scanner. The one of the parameters is computed from the stored values, so it changes only
 * when other values are saved. Those of the software change with the release. The one of the calibration never changes.
 */
export function checksum({ identity, firmware, state, conditions }: Options): Feature {
  return {
    computed: [
      computed(general.members.LFTchecksum, () => ({
        MD5SumOK: conditions.intact,
        MD5LinuxRoot: md5(`root file system ${firmware.release}`),
        MD5App: md5(`application ${firmware.release}`),
        MD5Calibration: md5(`calibration ${identity.serialNumber}`),
        MD5Parameters: md5(
          JSON.stringify(Object.entries(state.content.parameters).sort(([a], [b]) => (a < b ? -1 : 1))),
        ),
      })),
    ],
  };
}

function md5(content: string): string {
  return createHash('md5').update(content).digest('hex');
}
