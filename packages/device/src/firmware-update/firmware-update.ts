import type { KeyObject } from 'node:crypto';
import { extensions, firmwareUpdate, type Product, UpdateState } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { faultText } from '../fault-text.js';
import { computed, type Feature, method, Underway } from '../feature.js';
import type { FirmwareRecord } from '../firmware-record.js';
import type { ContainedHardware } from '../hardware/contained-hardware.js';
import type { Identity } from '../identity/identity.js';
import type { Clock, Log, Storage } from '../interfaces/environment.js';
import type { FirmwareInstaller } from '../interfaces/hardware/index.js';
import type { Conditions } from '../lifecycle/conditions.js';
import type { Lifecycle } from '../lifecycle/lifecycle.js';
import { reasonOf } from '../storage/storage-failure.js';
import type { Pieces } from './firmware-container.js';
import { admitted, type CheckedFile, FirmwareBusy, FirmwareFile } from './firmware-file.js';
import { Installation } from './installation.js';

/** Time (ms) to write a valid file, and time (ms) for which UpdateState stays 2 before the reboot. */
const writingMilliseconds = 1000;
const finishedMilliseconds = 2000;

const reason = 'firmware update';
/** Reason of DeviceStatus 7 after the installer of the hardware has failed, until the next installation or boot. */
const failedInstaller = 'installation of firmware by the hardware';

const { firmware: state } = extensions.members;

type State = (typeof UpdateState)[keyof typeof UpdateState];

interface Options {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly announcements: Announcements;
  readonly conditions: Conditions;
  readonly lifecycle: Lifecycle;
  readonly identity: Identity;
  readonly firmware: FirmwareRecord;
  readonly product: Product;
  readonly firmwareKey: KeyObject | undefined;
  readonly hardware: Pick<ContainedHardware, 'parts'>;
}

/**
 * Receives firmware files and installs them: UpdateState 0 → 1 (checked, then installed; DeviceStatus 2) → 2 (the new
 * release is on disk) → reboot → 0, or 3 if nothing was installed. A reboot before 2 cancels the installation. The
 * installer of the hardware installs the payload. Without one, the scanner runs as the release of the file.
 */
export class FirmwareUpdate implements Feature {
  readonly computed = [
    computed(firmwareUpdate.members.UpdateState, () => this.state),
    computed(state, () => ({ Fault: this.#problem, Progress: this.#percent })),
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
  /** Percentage of the installation. */
  #percent = 0;
  /** True while an installer runs, even if its installation has failed before. */
  #installerRuns = false;
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
    this.#reset();
    this.#options.conditions.set('DS_ServiceMode', reason, true);
    this.#enter(UpdateState.Started);
    void this.#check(attempt, log);
  }

  /** Waits for the end of the write, so that the boot reads the old release or the new one. */
  async beforeBoot(): Promise<void> {
    await this.#writing;
  }

  boot(): void {
    this.#options.conditions.set('DS_ServiceMode', reason, false);
    this.#enter(UpdateState.Initial);
    this.#reset();
  }

  /** Cancels the installation in progress. */
  down(): void {
    this.#attempt = undefined;
    this.#cancel?.();
  }

  /** @throws Underway during an installation */
  remember(): () => void {
    if (this.#attempt !== undefined) throw new Underway('firmware is being installed');
    const [state, problem, percent] = [this.#state, this.#problem, this.#percent];
    return () => {
      this.down();
      this.#reportProblem(problem);
      this.#advance(percent);
      this.#enter(state);
    };
  }

  async #check(attempt: symbol, log: Log): Promise<void> {
    const { firmware, product, identity, firmwareKey, hardware } = this.#options;
    const { firmware: installer } = hardware.parts;
    try {
      const file = await this.#file.read();
      const release = admitted(file.container, {
        ...{ firmware, product, deviceType: identity.deviceType, firmwareKey },
        acceptsUnknownRelease: installer !== undefined,
      });
      if (this.#attempt !== attempt) return;
      if (installer !== undefined) await this.#install(attempt, installer, file, release, log);
      else if (release !== undefined) this.#runAs(attempt, file, release, log);
    } catch (error) {
      this.#fail(attempt, error, log);
    }
  }

  /** Runs as the release of the file from the next boot on. */
  #runAs(attempt: symbol, file: CheckedFile, release: string, log: Log): void {
    const { clock, firmware } = this.#options;
    this.#cancel = clock.after(writingMilliseconds, () => {
      this.#writing = firmware.install(release).then(
        () => this.#finish(attempt, file, release, log),
        (error: unknown) => this.#fail(attempt, error, log),
      );
    });
  }

  /** Lets the hardware install the payload. */
  async #install(
    attempt: symbol,
    installer: FirmwareInstaller,
    file: CheckedFile,
    release: string | undefined,
    log: Log,
  ): Promise<void> {
    const { clock, firmware, conditions } = this.#options;
    if (this.#installerRuns) throw new FirmwareBusy('the installer still works on an earlier file');
    const payload = await file.payload();
    if (this.#attempt !== attempt) return;
    const advanced = (percent: number) => this.#advance(percent);
    const installation = new Installation({ installer, clock, log, advanced });
    this.#cancel = () => installation.cancel('the scanner has rebooted');
    this.#installerRuns = true;
    const { result, ended } = installation.run(payload);
    void ended.then(() => {
      this.#installerRuns = false;
    });
    try {
      await result;
    } catch (error) {
      if (this.#attempt === attempt) conditions.set('DS_RecoverableError', failedInstaller, true);
      throw error;
    }
    if (this.#attempt !== attempt) return;
    if (release !== undefined) firmware.installUnrecorded(release);
    await this.#finish(attempt, file, file.container.manifest.release, log);
  }

  /** Called when the new firmware is on disk. */
  async #finish(attempt: symbol, { discard }: CheckedFile, release: string, log: Log): Promise<void> {
    log.info('Firmware was installed; the next boot runs it', { release });
    await discard().catch((error: unknown) =>
      log.warn('The firmware file could not be removed', { reason: reasonOf(error) }),
    );
    if (this.#attempt !== attempt) return;
    this.#advance(100);
    this.#enter(UpdateState.Finished);
    this.#cancel = this.#options.clock.after(finishedMilliseconds, () =>
      this.#options.lifecycle.reboot('update'),
    );
  }

  #advance(percent: number): void {
    if (this.#percent === percent) return;
    this.#percent = percent;
    this.#options.announcements.changed([state]);
  }

  /** Forgets the result of the last installation. */
  #reset(): void {
    this.#options.conditions.set('DS_RecoverableError', failedInstaller, false);
    this.#reportProblem('');
    this.#advance(0);
  }

  #fail(attempt: symbol, error: unknown, log: Log): void {
    if (this.#attempt !== attempt) return;
    log.warn('Firmware was not installed', { reason: reasonOf(error) });
    this.#reportProblem(reasonOf(error));
    this.#attempt = undefined;
    this.#options.conditions.set('DS_ServiceMode', reason, false);
    this.#enter(UpdateState.Error);
  }

  /** Reports the reason why a file was not installed. */
  #reportProblem(problem: string): void {
    const text = faultText(problem);
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
