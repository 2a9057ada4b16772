import type { KeyObject } from 'node:crypto';
import { firmwareUpdate, type Release, UpdateState } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { computed, type Feature, method } from '../feature.js';
import type { FirmwareRecord } from '../firmware-record.js';
import type { Identity } from '../identity/identity.js';
import type { Clock } from '../interfaces/clock.js';
import type { Log } from '../interfaces/log.js';
import type { Storage } from '../interfaces/storage.js';
import type { Conditions } from '../lifecycle/conditions.js';
import type { Lifecycle } from '../lifecycle/lifecycle.js';
import { reasonOf } from '../storage/storage-failure.js';
import type { Pieces } from './firmware-container.js';
import { admitted, FirmwareBusy, FirmwareFile } from './firmware-file.js';

/** How long (ms) writing a valid file takes, and how long UpdateState stays 2 before the reboot. */
const writingMilliseconds = 1000;
const finishedMilliseconds = 2000;

const reason = 'firmware update';

type State = (typeof UpdateState)[keyof typeof UpdateState];

interface Options {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly announcements: Announcements;
  readonly conditions: Conditions;
  readonly lifecycle: Lifecycle;
  readonly identity: Identity;
  readonly firmware: FirmwareRecord;
  readonly firmwareKey: KeyObject | undefined;
}

/**
 * Receives firmware files and installs them: UpdateState 0 → 1 (checked, then written; DeviceStatus 2) → 2 (the new
 * release is on disk) → reboot → 0, or 3 if nothing was installed. A reboot before 2 cancels the installation.
 */
export class FirmwareUpdate implements Feature {
  readonly computed = [computed(firmwareUpdate.members.UpdateState, () => this.state)];
  readonly methods = [
    // It is answered at once; UpdateState reports the result.
    method(firmwareUpdate.members.RunFirmwareUpdate, (_, { log }) => {
      this.run(log);
      return {};
    }),
  ];
  readonly #options: Options;
  readonly #file: FirmwareFile;
  #state: State = UpdateState.Initial;
  /** The installation in progress; it differs once that was cancelled. */
  #attempt: symbol | undefined;
  #cancel: (() => void) | undefined;
  /** The last write to the disk. */
  #writing: Promise<void> = Promise.resolve();

  constructor(options: Options) {
    this.#options = options;
    this.#file = new FirmwareFile(options.storage);
  }

  get state(): State {
    return this.#state;
  }

  /**
   * Stores a file for the next installation, unchecked.
   * @throws FirmwareBusy, TransferStopped as `pieces` throws it, Fault 3 if it cannot be stored
   */
  async receive(pieces: Pieces, log: Log): Promise<void> {
    if (this.#attempt !== undefined) throw new FirmwareBusy('firmware is being installed');
    await this.#file.receive(pieces, log);
  }

  /** Starts to install the last file; does nothing while an installation is in progress. */
  run(log: Log): void {
    if (this.#attempt !== undefined) return;
    const attempt = Symbol(reason);
    this.#attempt = attempt;
    this.#options.conditions.set('DS_ServiceMode', reason, true);
    this.#enter(UpdateState.Started);
    void this.#check(attempt, log);
  }

  /** Waits until writing has ended, so that the boot reads the old release or the new one. */
  async beforeBoot(): Promise<void> {
    await this.#writing;
  }

  boot(): void {
    this.#options.conditions.set('DS_ServiceMode', reason, false);
    this.#enter(UpdateState.Initial);
  }

  /** Cancels the installation in progress. */
  down(): void {
    this.#attempt = undefined;
    this.#cancel?.();
  }

  async #check(attempt: symbol, log: Log): Promise<void> {
    const { firmware, identity, firmwareKey, clock } = this.#options;
    try {
      const { container, discard } = await this.#file.read();
      const { deviceType } = identity;
      const release = admitted(container, { release: firmware.release, deviceType, firmwareKey });
      if (this.#attempt !== attempt) return;
      this.#cancel = clock.after(writingMilliseconds, () => {
        this.#writing = this.#write(attempt, release, discard, log);
      });
    } catch (error) {
      this.#fail(attempt, error, log);
    }
  }

  async #write(attempt: symbol, release: Release, discard: () => Promise<void>, log: Log): Promise<void> {
    try {
      await this.#options.firmware.install(release);
    } catch (error) {
      this.#fail(attempt, error, log);
      return;
    }
    log.info('Firmware was installed; the next boot runs it', { release });
    await discard().catch((error: unknown) =>
      log.warn('The firmware file could not be removed', { reason: reasonOf(error) }),
    );
    if (this.#attempt !== attempt) return;
    this.#enter(UpdateState.Finished);
    this.#cancel = this.#options.clock.after(finishedMilliseconds, () => this.#options.lifecycle.reboot());
  }

  #fail(attempt: symbol, error: unknown, log: Log): void {
    if (this.#attempt !== attempt) return;
    log.warn('Firmware was not installed', { reason: reasonOf(error) });
    this.#attempt = undefined;
    this.#options.conditions.set('DS_ServiceMode', reason, false);
    this.#enter(UpdateState.Error);
  }

  #enter(state: State): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#options.announcements.changed([firmwareUpdate.members.UpdateState]);
  }
}
