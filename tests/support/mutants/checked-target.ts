import type { CheckTarget, ConformanceCase, Endpoint } from '@azimuth/check';
import { type Edition, factoryPasswords } from '@azimuth/model';
import type { StartOptions, TestScanner } from '@azimuth/testing';
import { checkedFirmware, firmwareKey } from './checked-firmware.js';

const silent = () => {};

/** Options of a scanner of an edition that is checked over all of its wires, on virtual time. Its log is not printed. */
export function checkedOptions({ release, variant }: Edition): StartOptions {
  return {
    release,
    variant,
    search: true,
    controlPort: true,
    firmwareKey,
    log: { info: silent, warn: silent, error: silent },
  };
}

/** Options of a scanner that is started for one case: without the wires that the case does not need. */
export function optionsFor({ needs = [], stage }: ConformanceCase, edition: Edition): StartOptions {
  return {
    ...checkedOptions(edition),
    legacy: needs.includes('legacy'),
    search: needs.includes('search'),
    controlPort: needs.includes('hardware') || stage === 'core',
  };
}

/** Returns where such a scanner is. The pauses of its check pass on its clock. */
export function checkedTarget(scanner: TestScanner): CheckTarget {
  const { https, legacyA, legacyB, search, control } = scanner.ports;
  return {
    url: scanner.url,
    passwords: factoryPasswords,
    httpsUrl: https === null ? undefined : `https://127.0.0.1:${https}`,
    legacyA: endpoint(legacyA),
    legacyB: endpoint(legacyB),
    search: endpoint(search),
    receiveAt: '127.0.0.1',
    control: control === null ? undefined : `http://127.0.0.1:${control}`,
    firmware: checkedFirmware.get(scanner.device.served.edition.release),
    patienceSeconds: Number.POSITIVE_INFINITY,
    clock: {
      now: () => scanner.device.clock.utc(),
      wait: (milliseconds) => scanner.advance(milliseconds),
    },
  };
}

function endpoint(port: number | null): Endpoint | undefined {
  return port === null ? undefined : { host: '127.0.0.1', port };
}
