import type { Log } from '@azimuth/device';
import { LogWith } from '@azimuth/device/reports';
import { unsavedOf } from '../events/watched-scanner.js';
import type { ScannerFacts } from './scanner-facts.js';
import { ScannerRequests, type Target } from './scanner-requests.js';
import { ServiceStarts, type Shared } from './scanner-service.js';
import type { KeptScanner, RunningParts } from './scanner-state.js';
import { ScannerUses } from './scanner-uses.js';

/** The parts of a scanner that somebody has needed. Most scanners of a large fleet never have them. */
export interface Parts {
  readonly log: Log;
  readonly uses: ScannerUses;
  readonly requests: ScannerRequests;
  readonly services: ServiceStarts;
}

export function partsOf(shared: Shared, facts: ScannerFacts, target: Target): Parts {
  const uses = new ScannerUses();
  return {
    log: new LogWith(shared.log, () => ({ scanner: facts.serial })),
    uses,
    requests: new ScannerRequests(target, uses),
    services: new ServiceStarts(shared, facts),
  };
}

/** Returns the state of a scanner that is put away, as a copy; undefined if it has to run on. */
export function keptOf({ service }: RunningParts): KeptScanner | undefined {
  const kept = service.keep();
  if (kept === undefined) return undefined;
  try {
    // The values of a running scanner would keep more of it in memory.
    return { service: structuredClone(kept), unsaved: unsavedOf(service.device) };
  } catch {
    // A line of its log has a field that cannot be copied.
    return undefined;
  }
}
