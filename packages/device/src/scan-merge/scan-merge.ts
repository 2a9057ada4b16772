import {
  basicSettings,
  Fault,
  measurementDataOutput,
  mountingPosition,
  performanceProfiles,
  ScanMergeSource,
  ScanMergeTrigger as Trigger,
} from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { computed, type Feature, method } from '../feature.js';
import type { ImuReading } from '../imu-data-output/imu.js';
import type { Clock } from '../interfaces/clock.js';
import type { Log } from '../interfaces/log.js';
import type { Storage } from '../interfaces/storage.js';
import type { EncoderReading } from '../measurement-data-output/encoder.js';
import type { Measuring } from '../measuring/measuring.js';
import type { Parameters } from '../parameters/parameters.js';
import type { Scan } from '../scan/scan.js';
import { geometryOf } from '../scan/scan-geometry.js';
import { reasonOf } from '../storage/storage-failure.js';
import type { CloudFile, StoredCloud } from './cloud-file.js';
import type { MotionSource } from './movement.js';
import { recorderPartsLater } from './recorder-parts-later.js';
import type { Recording } from './recording.js';

const {
  ScanMergerEnabled,
  ScanMergerSource,
  ScanMergeTrigger,
  EncoderTransformationType,
  EncoderRotation,
  EncoderTranslation,
  RotationOffset,
  StartScanMerge,
  StopScanMerge,
  ResetScanMergeView,
  MergeSaving,
} = measurementDataOutput.members;
const { SensorPosition } = mountingPosition.members;
const { PerformanceProfileNumber } = basicSettings.members;

/** The port whose input starts and stops a recording, where ScanMergeTrigger says so. */
export const recordingInput = 1;

/** How long (ms) MergeSaving stays true at least, so that whoever polls it sees it. */
export const savingMilliseconds = 1000;

interface Facts {
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly measuring: Pick<Measuring, 'watch' | 'core'>;
  readonly encoder: { readonly reading: EncoderReading };
  readonly imu: { readonly reading: ImuReading };
  readonly clock: Clock;
  readonly storage: Storage;
  readonly log: Log;
  /** Points of a recording at most: 4 million where nothing is stated. */
  readonly mostPoints?: number;
}

type Parts = typeof import('./recorder-parts.js');

interface UnderWay {
  readonly recording: Recording;
  /** Where it will be saved. */
  readonly file: CloudFile;
  /** Ends looking at scans, and waiting for the end of the time. */
  readonly leave: () => void;
}

/**
 * Records scans of a scanner that is moved, and puts them together as one cloud of points: at rest → recording → saving
 * (MergeSaving) → at rest. Only the latest cloud is kept. Outside a recording it looks at nothing.
 */
export class ScanMerge implements Feature {
  readonly heeds = [
    ...[ScanMergerEnabled, ScanMergerSource, ScanMergeTrigger],
    ...[EncoderTransformationType, EncoderRotation, EncoderTranslation, RotationOffset],
  ];
  readonly computed = [computed(MergeSaving, () => this.saving)];
  readonly methods = [
    method(StartScanMerge, async () => {
      await this.ready();
      this.start();
      return {};
    }),
    method(StopScanMerge, () => {
      this.stop();
      return {};
    }),
    method(ResetScanMergeView, async () => {
      await this.reset();
      return {};
    }),
  ];
  readonly #facts: Facts;
  #file: CloudFile | undefined;
  #underWay: UnderWay | undefined;
  /** Does a recording begin as soon as what it needs is loaded? */
  #due = false;
  #saving: { readonly callOff: () => void } | undefined;
  #input = false;
  /** Did the input begin the recording that is under way? */
  #byInput = false;

  constructor(facts: Facts) {
    this.#facts = facts;
    facts.announcements.subscribeTo([ScanMergerEnabled], () => {
      if (this.#enabled) this.#prepare();
      else this.stop();
    });
  }

  get recording(): boolean {
    return this.#underWay !== undefined;
  }

  /** Is a recording that has ended being saved? (MergeSaving) */
  get saving(): boolean {
    return this.#saving !== undefined;
  }

  /** Is fulfilled when a recording can begin at once: until then, one that is started begins a moment later. */
  async ready(): Promise<void> {
    await recorderPartsLater.loaded();
  }

  /**
   * Begins a recording; one that is under way goes on.
   * @throws Fault 2 where the recorder is off, waits for an input, or has not saved the recording before.
   */
  start(): void {
    if (this.#trigger !== Trigger.METHOD) {
      throw new Fault(
        'invalidData',
        '',
        'a digital input starts recordings: set ScanMergeTrigger to 0 (METHOD)',
      );
    }
    this.#byInput = false;
    this.#begin();
  }

  /** Ends the recording that is under way, if any, and has it saved. */
  stop(): void {
    const underWay = this.#underWay;
    this.#drop();
    if (underWay !== undefined) this.#save(underWay);
  }

  /** Removes the cloud that is kept, and the one that is being saved. A recording under way goes on. */
  async reset(): Promise<void> {
    this.#callOff();
    await this.#fileBy(recorderPartsLater.part ?? (await recorderPartsLater.loaded())).remove();
  }

  /** The digital input for recordings changes: with ScanMergeTrigger DIGITAL_INPUT one lasts as long as it is active. */
  inputActive(active: boolean): void {
    const before = this.#input;
    this.#input = active;
    if (before === active) return;
    if (!active) {
      // What began a recording ends it, whatever the trigger is by now.
      if (this.#byInput) this.stop();
      return;
    }
    if (this.#trigger !== Trigger.DIGITAL_INPUT || this.recording) return;
    try {
      this.#begin();
      this.#byInput = true;
    } catch (error) {
      this.#facts.log.warn('The input has started no 3D recording', { reason: reasonOf(error) });
    }
  }

  /** The cloud that was recorded last; undefined where there is none. Whoever opens it reads it, or closes it. */
  async cloud(): Promise<StoredCloud | undefined> {
    return this.#fileBy(await recorderPartsLater.loaded()).open();
  }

  /** Comes up. An input that is active then is told as one that becomes active, and begins a recording. */
  boot(): void {
    if (this.#enabled) this.#prepare();
  }

  /** Goes down: what is not saved is lost, and the cloud before stays. */
  down(): void {
    this.#input = false;
    this.#drop();
    this.#callOff();
  }

  get #enabled(): boolean {
    const { parameters } = this.#facts;
    return parameters.has(ScanMergerEnabled) && parameters.read(ScanMergerEnabled);
  }

  get #trigger(): (typeof Trigger)[keyof typeof Trigger] {
    const { parameters } = this.#facts;
    return parameters.has(ScanMergeTrigger) ? parameters.read(ScanMergeTrigger) : Trigger.METHOD;
  }

  #begin(): void {
    if (!this.#enabled) {
      throw new Fault('invalidData', '', 'the 3D recorder is off: set ScanMergerEnabled to true first');
    }
    if (this.saving) {
      throw new Fault(
        'invalidData',
        '',
        'the recording before is being saved: wait until MergeSaving is false',
      );
    }
    if (this.recording) return;
    const parts = recorderPartsLater.part;
    this.#due = parts === undefined;
    if (parts === undefined) this.#prepare();
    else this.#record(parts);
  }

  /** Loads what records, and begins then where that was asked for meanwhile. */
  #prepare(): void {
    if (recorderPartsLater.part !== undefined) return;
    void this.ready().then(
      () => {
        if (this.#due) this.#begin();
      },
      (error: unknown) => this.#facts.log.error('The 3D recorder cannot begin', { reason: String(error) }),
    );
  }

  #record(parts: Parts): void {
    const { parameters, measuring, clock, log, mostPoints } = this.#facts;
    const recording = new parts.Recording(this.#motion(parts), parameters.read(SensorPosition), mostPoints);
    const ignore = measuring.watch({ scan: (scan) => this.#take(recording, scan) });
    const longest = parts.longestRecording(
      geometryOf(performanceProfiles[parameters.read(PerformanceProfileNumber)]),
    );
    const cancel = clock.after(longest, () => this.stop());
    this.#underWay = {
      recording,
      file: this.#fileBy(parts),
      leave: () => {
        ignore();
        cancel();
      },
    };
    log.info('A 3D recording has begun', { longestSeconds: longest / 1000 });
  }

  #take(recording: Recording, scan: Scan): void {
    recording.take(scan);
    if (recording.cloud.isFull) this.stop();
  }

  /** What moves the machine, by the settings of this moment. */
  #motion({ ImuMotion, EncoderMotion }: Parts): MotionSource {
    const { parameters, encoder, imu, measuring } = this.#facts;
    const center = parameters.read(RotationOffset);
    if (parameters.read(ScanMergerSource) === ScanMergeSource.IMU) {
      return new ImuMotion({ imu, measuring, position: parameters.read(SensorPosition), center });
    }
    return new EncoderMotion(encoder, {
      type: parameters.read(EncoderTransformationType),
      rotation: parameters.read(EncoderRotation),
      translation: parameters.read(EncoderTranslation),
      center,
    });
  }

  #drop(): void {
    this.#underWay?.leave();
    this.#underWay = undefined;
    this.#due = false;
  }

  #fileBy({ CloudFile }: Parts): CloudFile {
    this.#file ??= new CloudFile(this.#facts.storage, this.#facts.log);
    return this.#file;
  }

  #save({ recording, file }: UnderWay): void {
    const stopping = new AbortController();
    let left = 2;
    const one = () => {
      left -= 1;
      if (left === 0 && this.#saving === saving) this.#setSaving(undefined);
    };
    const cancel = this.#facts.clock.after(savingMilliseconds, one);
    const saving = {
      callOff: () => {
        stopping.abort();
        cancel();
      },
    };
    this.#setSaving(saving);
    void this.#write(recording, file, stopping.signal).then(one);
  }

  async #write({ cloud, scans }: Recording, file: CloudFile, signal: AbortSignal): Promise<void> {
    const { log } = this.#facts;
    const facts = { points: cloud.count, scans };
    if (cloud.count === 0) log.warn('A 3D recording is empty: nothing was measured meanwhile');
    try {
      await file.save(cloud, signal);
      log.info('A 3D recording was saved', facts);
    } catch (error) {
      if (signal.aborted) log.warn('A 3D recording was lost before it was saved', facts);
      else log.error('A 3D recording could not be saved', { ...facts, reason: reasonOf(error) });
    }
  }

  #callOff(): void {
    this.#saving?.callOff();
    this.#setSaving(undefined);
  }

  #setSaving(saving: { readonly callOff: () => void } | undefined): void {
    const before = this.saving;
    this.#saving = saving;
    if (this.saving !== before) this.#facts.announcements.changed([MergeSaving]);
  }
}
