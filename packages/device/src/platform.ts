import { status } from '@azimuth/model';
import { Announcements } from './announcements.js';
import { ContainedClock } from './clock/contained-clock.js';
import { DeviceTime } from './date-and-system-time/device-time.js';
import type { DeviceFacts } from './device-facts.js';
import { LoggedHost } from './diagnostic-file/logged-host.js';
import type { RecentLog } from './diagnostic-file/recent-log.js';
import { FirmwareRecord } from './firmware-update/firmware-record.js';
import { settleRelease } from './firmware-update/settle-release.js';
import { type Identity, identityOf } from './identity/identity.js';
import type { Clock } from './interfaces/clock.js';
import type { Host } from './interfaces/host.js';
import type { Random } from './interfaces/random.js';
import type { Storage } from './interfaces/storage.js';
import { Conditions } from './lifecycle/condition.js';
import { Lifecycle } from './lifecycle/lifecycle.js';
import { UnexpectedErrors, unexpectedError } from './lifecycle/unexpected-errors.js';
import { OperatingCounters } from './operating-data/counters.js';
import { factorySet, factorySwitches } from './parameters/factory-state.js';
import { Parameters } from './parameters/parameters.js';
import { StoredState } from './parameters/stored-state.js';
import { ServedInterface } from './served-interface.js';
import { Documents } from './storage/documents.js';

const { DeviceStatus, SCdevicestate } = status.members;

/** What every feature of a scanner may build on. */
export interface Platform {
  readonly identity: Identity;
  /** Callbacks booked here may throw: the error is one of `errors`, and the scanner goes on. */
  readonly clock: Clock;
  /** The device clock. */
  readonly time: DeviceTime;
  readonly random: Random;
  readonly host: Host;
  readonly log: RecentLog;
  readonly storage: Storage;
  readonly documents: Documents;
  /** Had its folder never been used when it was opened? */
  readonly neverUsed: boolean;
  /** Where an error in a callback goes, of the device or of a wire: anywhere that nobody waits for an answer. */
  readonly errors: UnexpectedErrors;
  readonly announcements: Announcements;
  readonly parameters: Parameters;
  readonly conditions: Conditions;
  readonly lifecycle: Lifecycle;
  readonly counters: OperatingCounters;
  readonly firmware: FirmwareRecord;
  readonly state: StoredState;
  readonly served: ServedInterface;
}

/**
 * Opens what the storage holds of a scanner but for its stored state, and settles which release it runs.
 * @param load loads what the scanner starts with, at each boot
 * @throws DowngradeRefused
 */
export async function openPlatform(facts: DeviceFacts, load: () => Promise<void>): Promise<Platform> {
  const { storage, random, variant, bootMilliseconds } = facts;
  const host = new LoggedHost(facts.host, facts.clock);
  const { log } = host;
  const errors = new UnexpectedErrors({ log, clock: facts.clock });
  const clock = new ContainedClock(facts.clock, (callback) => errors.contain('timer', callback));
  const time = new DeviceTime(clock);
  const documents = new Documents(storage, log);
  const { counters, found } = await OperatingCounters.load(documents, clock, log);
  const neverUsed = found === 'missing';
  const { identity, lost: isIdentityLost } = await identityOf(facts.identity, documents, neverUsed);
  const { firmware, lost: isFirmwareLost } = await FirmwareRecord.load(documents, neverUsed, facts.release);
  const { release } = firmware;
  const state = new StoredState(documents, () => ({
    saved: time.stamp(),
    parameters: factorySet({ release, variant }, firmware),
    ...factorySwitches(release),
  }));
  await settleRelease(firmware, facts.release);
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
    listenerFailed: (error) => errors.tell('reboot', error),
  });
  return {
    ...{ identity, clock, time, random, host, log, storage, documents, neverUsed, errors },
    ...{ announcements, conditions, lifecycle, counters, firmware, state },
    parameters: new Parameters(announcements, () => lifecycle.takesChanges),
    served: new ServedInterface(variant, firmware),
  };
}
