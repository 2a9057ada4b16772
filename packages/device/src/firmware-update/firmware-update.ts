import type { KeyObject } from 'node:crypto';
import { extensions, firmwareUpdate, type Release, UpdateState } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { computed, type Feature, method } from '../feature.js';
import type { FirmwareRecord } from '../firmware-record.js';
import type { Identity } from '../identity/identity.js';
import type { Clock, Log, Storage } from '../interfaces/environment.js';
import type { Conditions } from '../lifecycle/conditions.js';
import type { Lifecycle } from '../lifecycle/lifecycle.js';
import { reasonOf } from '../storage/storage-failure.js';
import type { Pieces } from './firmware-container.js';
import { admitted, FirmwareBusy, FirmwareFile } from './firmware-file.js';

/** Time (ms) to write a valid file, and time (ms) for which UpdateState stays 2 before the reboot. */
const writingMilliseconds = 1000;
const finishedMilliseconds = 2000;

const reason = 'firmware update';

const { firmware: state } = extensions.members;
/** Maximum length of an error, and characters that a text of the interface must not contain. */
const longestProblem = 200;
const forbidden = /[\p{Cc}\p{Cs}]/gu;

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
  readonly computed = [
    computed(firmwareUpdate.members.UpdateState, () => this.state),
    computed(state, () => ({ Fault: this.#problem })),
  ];
  readonly methods = [
    // It responds at once. UpdateState reports the result.
    method(firmwareUpdate.members.RunFirmwareUpdate, (_, { log }) => {
      this.run(log);
      return {};
    }),
  ];
  readonly #options: Options;
  readonly #file: FirmwareFile;
  #state: State = UpdateState.Initial;
  #problem = '';
  /** The installation in progress. Another value after it was cancelled. */
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
   * @throws FirmwareBusy, TransferStopped as `pieces` throws it, Refusal 3 if it cannot be stored
   */
  async receive(pieces: Pieces, log: Log): Promise<void> {
    if (this.#attempt !== undefined) throw new FirmwareBusy('firmware is being installed');
    await this.#file.receive(pieces, log);
  }

  /** Starts to install the last file. Does nothing during an installation. */
  run(log: Log): void {
    if (this.#attempt !== undefined) return;
    const attempt = Symbol(reason);
    this.#attempt = attempt;
    this.#options.conditions.set('DS_ServiceMode', reason, true);
    this.#enter(UpdateState.Started);
    this.#reportProblem('');
    void this.#check(attempt, log);
  }

  /** Waits for the end of the write, so that the boot reads the old release or the new one. */
  async beforeBoot(): Promise<void> {
    await this.#writing;
  }

  boot(): void {
    this.#options.conditions.set('DS_ServiceMode', reason, false);
    this.#enter(UpdateState.Initial);
    this.#reportProblem('');
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
    this.#reportProblem(reasonOf(error));
    this.#attempt = undefined;
    this.#options.conditions.set('DS_ServiceMode', reason, false);
    this.#enter(UpdateState.Error);
  }

  /** Reports the reason why a file was not installed. A file can state a device type of any characters. */
  #reportProblem(problem: string): void {
    const text = [...problem.replaceAll(forbidden, ' ')].slice(0, longestProblem).join('');
    if (this.#problem === text) return;
    this.#problem = text;
    this.#options.announcements.changed([state]);
  }

  #enter(next: State): void {
    if (this.#state === next) return;
    this.#state = next;
    this.#options.announcements.changed([firmwareUpdate.members.UpdateState]);
  }
}
