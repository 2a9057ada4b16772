import { urlOf } from '@azimuth/http';
import { unsavedOf } from '../events/watched-scanner.js';
import type { FleetScanner } from '../scanners/scanner.js';
import { scannerStates } from '../scanners/scanner-state.js';
import { scannersPath } from './scanner-path.js';

/** The states of scanners in the list of a fleet. `waiting`: no worker runs it now. `silent`: its worker does not respond. */
export const listedStates = [...scannerStates, 'waiting', 'silent'] as const;

export type ListedState = (typeof listedStates)[number];

/** A scanner in the list of a fleet. */
export interface ScannerSummary {
  readonly serialNumber: string;
  readonly group: string;
  readonly state: ListedState;
  readonly release: string;
  /** Below the URL of the fleet. */
  readonly path: string;
  /** Its own URL. If it has no port of its own, its URL below the URL of the fleet. */
  readonly url: string;
  readonly ports: {
    readonly http: number | null;
    readonly https: number | null;
    readonly legacyA: number | null;
    readonly legacyB: number | null;
  };
  /** Requests at the port of the fleet and at ports of its own, since the fleet started. */
  readonly requests: number;
  /** Telegrams of scan data since its start. */
  readonly telegrams: number;
  /** Parameters that a power cut would lose. */
  readonly unsaved: number;
  /** Planned faults that are not over. */
  readonly faults: number;
  /** The reason why it could not start. */
  readonly failure?: string | undefined;
}

/** @param origin of the fleet: `http://127.0.0.1:8000` */
export function listed(scanner: FleetScanner, origin: string): ScannerSummary {
  const { facts, state, ports, service, faults, failure, requests } = scanner;
  const path = `${scannersPath}/${facts.serial}`;
  const host = facts.ports?.host;
  return {
    serialNumber: facts.serial,
    group: facts.group,
    state,
    release: scanner.release,
    path,
    url:
      host === undefined || ports.http === null ? origin + path : urlOf({ host, port: ports.http }, 'http'),
    ports: {
      http: ports.http,
      https: ports.https === 0 ? null : ports.https,
      legacyA: ports.legacyA,
      legacyB: ports.legacyB,
    },
    requests,
    telegrams: service?.telegramsSent ?? 0,
    unsaved: service === undefined ? 0 : unsavedOf(service.device),
    faults:
      faults?.list.filter(({ state: one }) => one !== 'over').length ?? facts.faults?.faults.length ?? 0,
    failure,
  };
}
