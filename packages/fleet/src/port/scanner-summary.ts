import type { Device } from '@azimuth/device';
import { urlOf } from '@azimuth/http';
import { device as deviceGroup, status } from '@azimuth/model';
import type { AdoptedScanner } from '../adopted/adopted-scanner.js';
import { realStates } from '../events/real-states.js';
import type { FleetMember } from '../fleet.js';
import { FleetScanner } from '../scanners/scanner.js';
import { scannerStates } from '../scanners/scanner-state.js';
import { scannersPath } from './scanner-path.js';

/** The states of scanners in the list of a fleet. `waiting`: no worker runs it now. `silent`: its worker does not respond. */
export const listedStates = [...scannerStates, ...realStates, 'waiting', 'silent'] as const;

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
  /** DeviceStatus and LocationName of a virtual scanner that runs. */
  readonly running?:
    | { readonly deviceStatus: number /** LocationName. */; readonly location: string }
    | undefined;
  /** Of a real scanner: true. The members below are those of real scanners. */
  readonly isReal?: true | undefined;
  /** LocationName; empty before the first answer. */
  readonly location?: string | undefined;
  /** DeviceStatus; undefined before the first answer. */
  readonly deviceStatus?: number | undefined;
  /** Trouble with it; undefined if nothing is. */
  readonly trouble?: string | undefined;
}

/** @param origin of the fleet: `http://127.0.0.1:8000` */
export function listed(member: FleetMember, origin: string): ScannerSummary {
  return member instanceof FleetScanner ? listedVirtual(member, origin) : listedReal(member, origin);
}

/** Its URL is that below the fleet: clients need no way to it of their own. */
function listedReal({ facts, known, requests }: AdoptedScanner, origin: string): ScannerSummary {
  const { serial, group } = facts;
  const { state, release, location, deviceStatus, trouble } = known;
  const path = `${scannersPath}/${serial}`;
  // One literal: ten thousand are made each second, and an object of several spread ones takes a hundred times as long.
  return {
    serialNumber: serial,
    group,
    state,
    release,
    path,
    url: origin + path,
    ports: { http: null, https: null, legacyA: null, legacyB: null },
    requests,
    telegrams: 0,
    unsaved: 0,
    faults: 0,
    isReal: true,
    location,
    deviceStatus,
    trouble,
  };
}

function listedVirtual(scanner: FleetScanner, origin: string): ScannerSummary {
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
    unsaved: scanner.unsaved,
    faults:
      faults?.list.filter(({ state: one }) => one !== 'over').length ?? facts.faults?.faults.length ?? 0,
    failure,
    running: service && runningPart(service.device),
  };
}

function runningPart(device: Device): ScannerSummary['running'] {
  return {
    deviceStatus: device.read(status.members.DeviceStatus),
    location: device.read(deviceGroup.members.LocationName),
  };
}
