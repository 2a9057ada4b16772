import {
  allParameters,
  type Edition,
  type Endpoint,
  endpointsOf,
  extensionsOf,
  Fault,
  type FileEndpoint,
  filesOf,
  operatingData,
  reaches,
  type Variable,
} from '@azimuth/model';
import { Access, type Caller } from './access/access.js';
import { CredentialStore } from './access/credential-store.js';
import { Announcements } from './announcements.js';
import { BackupSlot } from './backup-restore/backup-slot.js';
import { ParameterBackups } from './backup-restore/parameter-backups.js';
import { BackupResults } from './backup-restore/results.js';
import { Lamps } from './basic-settings/lamps.js';
import { ContainedClock } from './clock/contained-clock.js';
import { BundleStore } from './cybersecurity/bundle-store.js';
import { Https } from './cybersecurity/https.js';
import { DeviceTime } from './date-and-system-time/device-time.js';
import { Synchronisation } from './date-and-system-time/synchronisation.js';
import { DetectionHistory } from './detection-history/detection-history.js';
import type { DeviceFacts } from './device-facts.js';
import { DiagnosisDump } from './diagnostic-file/diagnosis-dump.js';
import { LoggedHost } from './diagnostic-file/logged-host.js';
import { Network } from './ethernet/network.js';
import { FirmwareRecord } from './firmware-update/firmware-record.js';
import { FirmwareUpdate } from './firmware-update/firmware-update.js';
import { carryStoredOver, settleRelease } from './firmware-update/settle-release.js';
import { type Identity, identityOf } from './identity/identity.js';
import { Later } from './later.js';
import { keepLegacyPortsApart } from './legacy-protocols/ports.js';
import { Conditions } from './lifecycle/condition.js';
import { Lifecycle } from './lifecycle/lifecycle.js';
import { UnexpectedErrors, unexpectedError } from './lifecycle/unexpected-errors.js';
import { keepToUnicastBefore231 } from './measurement-data-output/destinations.js';
import { type Answer, callMethod } from './method-call.js';
import { OperatingCounters } from './operating-data/counters.js';
import { factorySet } from './parameters/factory-set.js';
import { factorySwitches } from './parameters/factory-switches.js';
import { Parameters } from './parameters/parameters.js';
import { Saving, unreadableParameters } from './parameters/saving.js';
import { type Found, StoredState } from './parameters/stored-state.js';
import { valueOfPayload } from './payload.js';
import type { Clock } from './ports/clock.js';
import type { Host, Log } from './ports/host.js';
import { Rooms } from './rooms.js';
import { Senses } from './senses.js';
import { SessionTokens } from './session-tokens/session-tokens.js';
import { TemperatureAlarm } from './status/temperature-alarm.js';
import { Documents, type LostDocument } from './storage/documents.js';
import { storeWebserverEnabled } from './webserver-settings/webserver-settings-room.js';

/** Loaded when an archive is made, so that a scanner starts without it. */
const dumpContent = new Later(() => import('./diagnostic-file/content.js'));

const lostPasswords = 'lost passwords';
const lostBundle = 'lost certificate bundle';
const lostCounters = 'lost operating counters';
const lostFirmware = 'lost record of the firmware';
const lostIdentity = 'lost serial number';
/** The reasons of a recoverable error that are about what was stored. */
const losses = [
  lostPasswords,
  lostBundle,
  lostCounters,
  lostFirmware,
  lostIdentity,
  unreadableParameters,
] as const;

/**
 * A scanner without its wires: reads, writes and calls by name, on behalf of a caller. It knows every rule of the
 * device, and no socket.
 */
export class Device {
  readonly identity: Identity;
  /** Where an error in a callback goes, of the device or of a wire: anywhere that nobody waits for an answer. */
  readonly errors: UnexpectedErrors;
  /** Callbacks booked here may throw: the error is one of `errors`, and the scanner goes on. */
  readonly clock: Clock;
  readonly host: Host;
  readonly announcements: Announcements;
  readonly parameters: Parameters;
  readonly time: DeviceTime;
  readonly synchronisation: Synchronisation;
  readonly firmware: FirmwareRecord;
  readonly firmwareUpdate: FirmwareUpdate;
  readonly state: StoredState;
  readonly credentials: CredentialStore;
  readonly counters: OperatingCounters;
  readonly access: Access;
  readonly sessionTokens: SessionTokens;
  readonly https: Https;
  readonly network: Network;
  readonly lifecycle: Lifecycle;
  readonly conditions: Conditions;
  readonly saving: Saving;
  readonly backups: ParameterBackups;
  readonly backupResults: BackupResults;
  readonly diagnosis: DiagnosisDump;
  readonly temperatureAlarm: TemperatureAlarm;
  readonly lamps: Lamps;
  /** What it measures with, and what it does with what it sees. */
  readonly senses: Senses;
  readonly #facts: DeviceFacts;
  readonly #documents: Documents;
  readonly #rooms: Rooms;
  /** How the stored state was found when the storage was opened: the first boot need not read it again. */
  #found: Found | undefined;
  #edition: Edition;
  #endpoints: ReadonlyMap<string, Endpoint>;
  #files: ReadonlyMap<string, FileEndpoint>;
  #extensions: ReadonlyMap<string, Variable<unknown>>;

  private constructor(
    facts: DeviceFacts & { readonly host: LoggedHost; readonly identity: Identity },
    documents: Documents,
    firmware: FirmwareRecord,
    state: StoredState,
    credentials: CredentialStore,
    counters: OperatingCounters,
    bundles: BundleStore,
    history: DetectionHistory,
    found: Found,
    errors: UnexpectedErrors,
  ) {
    const { identity, clock, random, host } = facts;
    this.errors = errors;
    this.#facts = facts;
    this.#documents = documents;
    this.#found = found;
    this.identity = identity;
    this.clock = clock;
    this.host = host;
    this.firmware = firmware;
    this.state = state;
    this.credentials = credentials;
    this.counters = counters;
    this.#edition = { release: firmware.release, variant: facts.variant };
    this.#endpoints = endpointsOf(this.#edition);
    this.#files = filesOf(this.#edition);
    this.#extensions = extensionsOf(this.#edition);
    this.announcements = new Announcements((error) =>
      host.log.error('A change could not be passed on', { reason: String(error) }),
    );
    this.parameters = new Parameters(this.announcements, () => this.lifecycle.takesChanges);
    this.time = new DeviceTime(clock);
    this.synchronisation = new Synchronisation({
      clock,
      time: this.time,
      parameters: this.parameters,
      announcements: this.announcements,
      log: host.log,
      servers: facts.timeServers,
      synchronised: (isSynchronised) => this.senses.clockSynchronised(isSynchronised),
    });
    this.conditions = new Conditions(() => this.#rooms.statusChanged());
    errors.onError(() => this.conditions.set('DS_RecoverableError', unexpectedError, true));
    this.access = new Access({
      clock,
      random,
      log: host.log,
      credentials,
      isEnabled: (level) => state.content.userLevels[level],
    });
    this.sessionTokens = new SessionTokens(clock, random);
    this.https = new Https({
      store: bundles,
      clock,
      random,
      announcements: this.announcements,
      stored: () => this.conditions.set('DS_RecoverableError', lostBundle, false),
    });
    this.lifecycle = new Lifecycle({
      clock,
      bootMilliseconds: facts.bootMilliseconds,
      load: () => this.#load(),
      failed: (error) => host.log.error('The scanner could not come up again', { reason: String(error) }),
      listenerFailed: (error) => errors.tell('reboot', error),
    });
    this.saving = new Saving({
      parameters: this.parameters,
      state,
      time: this.time,
      announcements: this.announcements,
      conditions: this.conditions,
      factorySwitches: () => factorySwitches(this.#edition.release),
    });
    this.backups = new ParameterBackups({
      parameters: this.parameters,
      saving: this.saving,
      slot: new BackupSlot(documents),
      random,
      identity,
      release: () => this.#edition.release,
    });
    this.backupResults = new BackupResults(this.announcements);
    this.diagnosis = new DiagnosisDump({
      storage: facts.storage,
      documents,
      log: host.log,
      gather: async () => (await dumpContent.loaded()).contentOf(this, host.log),
      utc: () => this.time.utc,
      suspend: (suspended) => this.conditions.set('DS_SuspendedOperation', 'diagnosis', suspended),
    });
    this.lifecycle.onDown(() => host.log.info('The scanner goes down'));
    this.lifecycle.onUp(() => host.log.info('The scanner is up again'));
    this.firmwareUpdate = new FirmwareUpdate({
      storage: facts.storage,
      clock,
      announcements: this.announcements,
      conditions: this.conditions,
      lifecycle: this.lifecycle,
      deviceType: identity.deviceType,
      firmwareKey: facts.firmwareKey,
      running: () => firmware.release,
      install: (release) => settleRelease(firmware, release),
    });
    this.network = new Network(this.parameters, this.announcements);
    this.temperatureAlarm = new TemperatureAlarm(this.parameters, host, this.announcements);
    this.lamps = new Lamps(this.parameters, this.conditions, clock, this.announcements);
    this.senses = new Senses({
      core: facts.core,
      parameters: this.parameters,
      announcements: this.announcements,
      conditions: this.conditions,
      clock,
      time: this.time,
      host,
      storage: facts.storage,
      temperatureAlarm: this.temperatureAlarm,
      history,
      viewerFailed: (error) => errors.tell('measuring', error),
    });
    this.lifecycle.onDown(() => {
      this.senses.down();
      this.synchronisation.down();
    });
    keepLegacyPortsApart(this.parameters);
    keepToUnicastBefore231(this.parameters, () => this.#edition.release);
    this.#rooms = new Rooms(this);
  }

  /**
   * Makes a scanner of what its storage holds, and starts it: counted as a power-on, on disk before it is ready.
   * @throws DowngradeRefused
   */
  static async open(facts: DeviceFacts): Promise<Device> {
    const { storage, random } = facts;
    if (typeof facts.core === 'object') await Senses.readyForScans();
    const host = new LoggedHost(facts.host, facts.clock);
    const { log } = host;
    const errors = new UnexpectedErrors({ log, clock: facts.clock });
    const clock = new ContainedClock(facts.clock, (callback) => errors.contain('timer', callback));
    const documents = new Documents(storage, log);
    const time = new DeviceTime(clock);
    const counters = await OperatingCounters.load(documents, clock, log);
    const neverUsed = counters.found === 'missing';
    const { identity, lost: isIdentityLost } = await identityOf(facts.identity, documents, neverUsed);
    const firmware = await FirmwareRecord.load(documents, neverUsed, facts.release);
    const { release } = firmware.firmware;
    const state = new StoredState(documents, () => ({
      saved: time.stamp(),
      parameters: factorySet({ release, variant: facts.variant }, firmware.firmware),
      ...factorySwitches(release),
    }));
    const credentials = await CredentialStore.load(documents, random, neverUsed);
    const bundles = await BundleStore.load(documents);
    const history = await DetectionHistory.load(documents, clock, log);
    const found = await state.load(neverUsed);
    if (neverUsed && found === 'whole') log.warn('The operating counters are missing and start at zero');
    await settleRelease(firmware.firmware, facts.release);
    if (facts.enableWebserver) await storeWebserverEnabled(state, true);
    await credentials.store.setPasswords(facts.passwords ?? {});
    const device = new Device(
      { ...facts, host, clock, identity },
      documents,
      firmware.firmware,
      state,
      credentials.store,
      counters.counters,
      bundles,
      history,
      found,
      errors,
    );
    const { conditions } = device;
    const lost = {
      [lostCounters]: counters.found === 'lost',
      [lostFirmware]: firmware.lost,
      [lostIdentity]: isIdentityLost,
      [lostPasswords]: credentials.lost,
      [lostBundle]: bundles.isLost,
    };
    for (const [loss, holds] of Object.entries(lost)) conditions.set('DS_RecoverableError', loss, holds);
    credentials.store.onStored(() => conditions.set('DS_RecoverableError', lostPasswords, false));
    await counters.counters.powerOn();
    await device.lifecycle.start();
    return device;
  }

  /** Which release and variant it is. */
  get edition(): Edition {
    return this.#edition;
  }

  /** Everything it serves, by name, aliases included. */
  get endpoints(): ReadonlyMap<string, Endpoint> {
    return this.#endpoints;
  }

  /** What it serves beside the specification under `/x/`, by name. */
  get extensions(): ReadonlyMap<string, Variable<unknown>> {
    return this.#extensions;
  }

  /** The files that it transfers, by name. */
  get files(): ReadonlyMap<string, FileEndpoint> {
    return this.#files;
  }

  /** What it serves with nothing behind it yet: variables that tell their default, methods that answer status 3. */
  get unbuilt(): readonly Endpoint[] {
    return [...new Set(this.#endpoints.values())].filter((endpoint) => !this.#rooms.isBuilt(endpoint));
  }

  /** Parameters that are kept, and have no effect yet. */
  get unheeded(): readonly Variable<unknown>[] {
    return allParameters.filter(
      (variable) => this.parameters.has(variable) && !this.#rooms.isHeeded(variable),
    );
  }

  /** Could everything that was stored be read? */
  get intact(): boolean {
    return !losses.some((loss) => this.conditions.holdsFor('DS_RecoverableError', loss));
  }

  /** The documents that were lost since the process started, in the order in which it found that. */
  get lostDocuments(): readonly LostDocument[] {
    return this.#documents.lost;
  }

  get measuring(): Senses['measuring'] {
    return this.senses.measuring;
  }

  get telegramTime(): Senses['telegramTime'] {
    return this.senses.telegramTime;
  }

  get encoder(): Senses['encoder'] {
    return this.senses.encoder;
  }

  get imu(): Senses['imu'] {
    return this.senses.imu;
  }

  get ports(): Senses['ports'] {
    return this.senses.ports;
  }

  get contamination(): Senses['contamination'] {
    return this.senses.contamination;
  }

  get fields(): Senses['fields'] {
    return this.senses.fields;
  }

  get history(): Senses['history'] {
    return this.senses.history;
  }

  get scanMerge(): Senses['scanMerge'] {
    return this.senses.scanMerge;
  }

  /** The value of a variable. */
  read<T>(variable: Variable<T>): T;
  read(variable: Variable<unknown>): unknown {
    const compute = this.#rooms.computed(variable);
    if (compute !== undefined) return compute();
    return this.parameters.has(variable)
      ? this.parameters.read(variable)
      : variable.factoryValue(this.firmware);
  }

  /** Does its value come from the state of the device, so that it may differ at every look? */
  isComputed(variable: Variable<unknown>): boolean {
    return this.#rooms.computed(variable) !== undefined;
  }

  /**
   * Writes a variable's working value.
   * @param name as requested: an alias is answered under itself.
   * @throws Fault 8 for a read-only variable, 4 for too low a level, then what is wrong with the payload; GoingDown
   * where it would be lost.
   */
  write(variable: Variable<unknown>, name: string, data: unknown, caller: Caller): void {
    const { write } = variable.facts;
    if (write === undefined) throw new Fault('readOnly', '', `${name} cannot be written`);
    if (!reaches(caller.level, write)) throw new Fault('accessDenied', '', `${write} is needed`);
    const value = valueOfPayload(variable, name, data);
    this.parameters.change((change) => change.set(variable, value));
  }

  /**
   * Calls a method.
   * @throws Fault 4 for too low a level, then what is wrong with the payload, then what the method refuses.
   */
  call(
    endpoint: Endpoint & { kind: 'method' },
    data: unknown,
    caller: Caller,
    log: Log = this.host.log,
  ): Answer | Promise<Answer> {
    return callMethod(endpoint, this.#rooms.act(endpoint), data, caller, log);
  }

  /** Switches the web server on or off from the next boot on; on disk when the promise is fulfilled. */
  async setWebserverEnabled(enabled: boolean): Promise<void> {
    await storeWebserverEnabled(this.state, enabled);
  }

  /** Power goes off and on again: what was not stored is lost, and it counts. */
  powerCycle(): void {
    this.lifecycle.reboot(() => this.counters.powerOn());
  }

  /** The host measures another temperature. */
  temperatureChanged(): void {
    this.announcements.changed([operatingData.members.CurrentTempDev]);
    this.temperatureAlarm.update();
  }

  /**
   * Does something that lets a lot of time pass at once, with nothing measured meanwhile: there would be no end of scans
   * and pulses on the way.
   */
  skipTime(pass: () => void): void {
    this.senses.pause();
    this.synchronisation.pause();
    try {
      pass();
    } finally {
      this.senses.resume();
      this.synchronisation.resume();
    }
  }

  /** Power goes off for good. Nothing is saved that was not saved. */
  async close(): Promise<void> {
    this.lifecycle.end();
    this.synchronisation.end();
    this.https.end();
    this.firmwareUpdate.end();
    this.counters.end();
    await this.senses.end();
    await this.#facts.storage.close();
  }

  async #load(): Promise<void> {
    this.conditions.set('DS_Startup', 'boot', true);
    await this.firmwareUpdate.boot();
    const found = this.#found ?? (await this.state.load(false));
    await this.firmware.boot((from, to) => carryStoredOver(this.state, from, to));
    this.#found = undefined;
    this.conditions.set('DS_RecoverableError', unreadableParameters, found === 'lost');
    this.conditions.set('DS_RecoverableError', unexpectedError, false);
    this.#edition = { release: this.firmware.release, variant: this.#facts.variant };
    this.#endpoints = endpointsOf(this.#edition);
    this.#files = filesOf(this.#edition);
    this.#extensions = extensionsOf(this.#edition);
    this.parameters.boot(
      allParameters.filter((variable) => variable.isIn(this.#edition)),
      (variable) => variable.factoryValue(this.firmware),
      this.state.content.parameters,
      ({ message: fault }) =>
        this.host.log.warn('A stored value is not allowed; factory state takes its place', { fault }),
    );
    this.synchronisation.boot();
    this.lamps.findMe(0);
    this.access.voidChallenges();
    this.sessionTokens.clear();
    this.backupResults.clear();
    this.network.activate();
    this.temperatureAlarm.boot();
    this.senses.boot();
    this.conditions.set('DS_Startup', 'boot', false);
  }
}
