import type { KeyObject } from 'node:crypto';
import {
  type Edition,
  type Endpoint,
  endpointsOf,
  extensionsOf,
  type FileEndpoint,
  filesOf,
  type LoginLevel,
  type Release,
  status,
  type Variable,
  type Variant,
} from '@azimuth/model';

import { Announcements } from './announcements.js';
import { DeviceTime } from './date-and-system-time/device-time.js';
import type { RecentLog } from './diagnostic-file/recent-log.js';
import { LoggedHost } from './diagnostic-file/recent-log.js';
import { FirmwareRecord } from './firmware-update/firmware-record.js';
import { type Identity, type IdentitySource, identityOf } from './identity/identity.js';
import type { Clock } from './interfaces/clock.js';
import type { Host } from './interfaces/host.js';
import type { Random } from './interfaces/random.js';
import type { Storage } from './interfaces/storage.js';
import type { TimeServers } from './interfaces/time-server.js';
import { Conditions } from './lifecycle/conditions.js';
import { Lifecycle } from './lifecycle/lifecycle.js';
import { containedClock, UnexpectedErrors, unexpectedError } from './lifecycle/unexpected-errors.js';
import type { CoreSource } from './measuring/core-source.js';
import { OperatingCounters } from './operating-data/operating-data.js';
import { Parameters } from './parameters/parameters.js';
import { factorySet, factorySwitches, StoredState } from './parameters/stored-state.js';
import { Documents } from './storage/documents.js';

const { DeviceStatus, SCdevicestate } = status.members;

/** What a scanner is made of. */
export interface DeviceOptions {
  /** The identity, or a function that reads it from the storage. */
  readonly identity: Identity | IdentitySource;
  readonly clock: Clock;
  readonly random: Random;
  readonly storage: Storage;
  readonly host: Host;
  /** The time servers that it asks if TSCRole says so; without them, it asks none. */
  readonly timeServers?: TimeServers;
  /** What measures. */
  readonly core: CoreSource;
  /** The release to run; by default that of the storage, and the newest for an empty storage. */
  readonly release?: Release;
  readonly variant: Variant;
  /** The Ed25519 public key that signs the firmware files it accepts; without a key, it accepts none. */
  readonly firmwareKey?: KeyObject;
  readonly bootMilliseconds: number;
  /** Passwords to set at the start, for REST and the legacy protocol. */
  readonly passwords?: Readonly<Partial<Record<LoginLevel, string>>>;
  /** Switches the web server on again. */
  readonly enableWebserver?: boolean;
}

/** The part of the interface that a release and a variant have. */
export interface ServedInterface {
  readonly edition: Edition;
  /** Everything it serves, by name, aliases included. */
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** What it serves beside the specification under `/x/`, by name. */
  readonly extensions: ReadonlyMap<string, Variable<unknown>>;
  /** The files that it transfers, by name. */
  readonly files: ReadonlyMap<string, FileEndpoint>;
}

export function servedInterface(edition: Edition): ServedInterface {
  return {
    edition,
    endpoints: endpointsOf(edition),
    extensions: extensionsOf(edition),
    files: filesOf(edition),
  };
}

/** What every feature of a scanner may build on. */
export interface Platform {
  readonly identity: Identity;
  /** What callbacks of this clock throw goes to `errors`, and the scanner goes on. */
  readonly clock: Clock;
  /** The device clock. */
  readonly time: DeviceTime;
  readonly random: Random;
  readonly host: Host;
  readonly log: RecentLog;
  readonly storage: Storage;
  readonly documents: Documents;
  /** Was the storage empty when it was opened? */
  readonly neverUsed: boolean;
  /** Takes the errors of callbacks, which no request waits for. */
  readonly errors: UnexpectedErrors;
  readonly announcements: Announcements;
  readonly parameters: Parameters;
  readonly conditions: Conditions;
  readonly lifecycle: Lifecycle;
  readonly counters: OperatingCounters;
  readonly firmware: FirmwareRecord;
  readonly state: StoredState;
  /** What the scanner serves since its last boot. */
  readonly served: { current: ServedInterface };
}

/**
 * Reads everything that the storage holds of a scanner but its stored state, and decides which release it runs.
 * @param load is called at each boot: loads what the scanner starts with
 * @throws DowngradeRefused
 */
export async function openPlatform(options: DeviceOptions, load: () => Promise<void>): Promise<Platform> {
  const { storage, random, variant, bootMilliseconds } = options;
  const host = new LoggedHost(options.host, options.clock);
  const { log } = host;
  const errors = new UnexpectedErrors({ log, clock: options.clock });
  const clock = containedClock(options.clock, (callback) => errors.contain('timer', callback));
  const time = new DeviceTime(clock);
  const documents = new Documents(storage, log);
  const { counters, found } = await OperatingCounters.load(documents, clock, log);
  const neverUsed = found === 'missing';
  const { identity, lost: isIdentityLost } = await identityOf(options.identity, documents, neverUsed);
  const { firmware, lost: isFirmwareLost } = await FirmwareRecord.load(documents, neverUsed, options.release);
  const { release } = firmware;
  const state = new StoredState(documents, () => ({
    saved: time.stamp(),
    parameters: factorySet({ release, variant }, firmware),
    ...factorySwitches(release),
  }));
  await firmware.settle(options.release);
  const announcements = new Announcements((error) =>
    log.error('A change could not be passed on', { reason: String(error) }),
  );
  const conditions = new Conditions(() => announcements.changed([DeviceStatus, SCdevicestate]));
  conditions.setLost('lost operating counters', found === 'lost');
  conditions.setLost('lost record of the firmware', isFirmwareLost);
  conditions.setLost('lost serial number', isIdentityLost);
  errors.onError(() => conditions.set('DS_RecoverableError', unexpectedError, true));
  const lifecycle = new Lifecycle({
    clock,
    bootMilliseconds,
    load,
    failed: (error) => log.error('The scanner could not come up again', { reason: String(error) }),
    listenerFailed: (error) => errors.report('reboot', error),
  });
  return {
    ...{ identity, clock, time, random, host, log, storage, documents, neverUsed, errors },
    ...{ announcements, conditions, lifecycle, counters, firmware, state },
    parameters: new Parameters(announcements, lifecycle),
    served: { current: servedInterface({ release, variant }) },
  };
}
