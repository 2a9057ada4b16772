import { measurementDataOutput, Refusal, ScanMergeSource } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { computed, type Feature, method, Underway } from '../feature.js';
import type { ImuReading } from '../imu-data-output/imu.js';
import type { Clock, Log, Storage } from '../interfaces/environment.js';
import type { EncoderReading } from '../measurement-data-output/encoder.js';
import type { Measuring } from '../measuring/measuring.js';
import type { Parameters } from '../parameters/parameters.js';
import type { Scan } from '../scan/scan.js';
import { geometryOf } from '../scan/scan.js';
import { reasonOf } from '../storage/storage-failure.js';
import { CloudFile, type StoredCloud } from './cloud-file.js';
import { EncoderMotion, ImuMotion, type MotionSource } from './machine-motion.js';
import { longestRecording, Recording } from './recording.js';

const {
  ScanMergerEnabled,
  ScanMergerSource,
  EncoderTransformationType,
  EncoderRotation,
  EncoderTranslation,
  RotationOffset,
  StartScanMerge,
  StopScanMerge,
  ResetScanMergeView,
  MergeRunning,
  MergeSaving,
  SaveProgress,
} = measurementDataOutput.members;

/** Minimum time in ms for which MergeSaving is true, so that polling clients see it. */
const savingMilliseconds = 1000;

interface Options {
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly measuring: Pick<Measuring, 'watch' | 'core'>;
  readonly encoder: { readonly reading: EncoderReading };
  readonly imu: { readonly reading: ImuReading };
  readonly clock: Clock;
  readonly storage: Storage;
  readonly log: Log;
  /** Maximum number of points of a recording. Default: 4 million. */
  readonly mostPoints?: number;
}

interface RunningRecording {
  readonly recording: Recording;
  /** Removes the listener of scans, and cancels the time limit. */
  readonly end: () => void;
}

/**
 * Records scans of a moving scanner and merges them into one point cloud: idle → recording → saving (MergeSaving) →
 * idle. Only the latest cloud is stored. It receives scans only during a recording.
 */
export class ScanMerge implements Feature {
  readonly computed = [
    computed(MergeRunning, () => this.recording),
    computed(MergeSaving, () => this.saving),
    computed(SaveProgress, () => this.#progress),
  ];
  readonly methods = [
    method(StartScanMerge, () => {
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
  readonly #options: Options;
  readonly #file: CloudFile;
  #running: RunningRecording | undefined;
  #saving: { readonly abort: () => void } | undefined;
  /** Share of the latest recording that is on disk, in percent. */
  #progress = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#file = new CloudFile(options.storage, options.log);
    options.announcements.subscribeTo([ScanMergerEnabled], () => {
      if (!this.#enabled) this.stop();
    });
  }

  /** True if scans are recorded (MergeRunning). */
  get recording(): boolean {
    return this.#running !== undefined;
  }

  /** True if a recording is being saved (MergeSaving). */
  get saving(): boolean {
    return this.#saving !== undefined;
  }

  /**
   * Begins a recording. A running recording continues.
   * @throws Refusal 2 if the recorder is off, or has not saved the recording before
   */
  start(): void {
    if (!this.#enabled) {
      throw new Refusal('invalidData', '', 'the 3D recorder is off: set ScanMergerEnabled to true first');
    }
    if (this.saving) {
      throw new Refusal(
        'invalidData',
        '',
        'the recording before is being saved: wait until MergeSaving is false',
      );
    }
    if (this.recording) return;
    const { parameters, measuring, clock, log, mostPoints } = this.#options;
    const recording = new Recording(this.#motion(), mostPoints);
    const ignore = measuring.watch({ scan: (scan) => this.#addScan(recording, scan) });
    const longest = longestRecording(geometryOf(parameters.profile));
    const cancel = clock.after(longest, () => this.stop());
    this.#running = {
      recording,
      end: () => {
        ignore();
        cancel();
      },
    };
    this.#setProgress(0);
    this.#options.announcements.changed([MergeRunning]);
    log.info('A 3D recording has begun', { longestSeconds: longest / 1000 });
  }

  /** Ends and saves the running recording. Does nothing without one. */
  stop(): void {
    const running = this.#running;
    this.#endRecording();
    if (running !== undefined) this.#save(running.recording);
  }

  /** Removes the stored cloud, and the cloud that is being saved. A running recording continues. */
  async reset(): Promise<void> {
    this.#abortSaving();
    await this.#file.remove();
  }

  /** The last recorded cloud. Undefined if there is none. The caller reads it, or closes it. */
  cloud(): Promise<StoredCloud | undefined> {
    return this.#file.open();
  }

  /** @throws Underway during a recording, and while it is saved */
  remember(): () => void {
    if (this.recording || this.saving) throw new Underway('a 3D recording runs, or is being saved');
    const progress = this.#progress;
    return () => {
      this.down();
      this.#setProgress(progress);
    };
  }

  /** Called when the scanner goes down: unsaved data is lost, and the old cloud stays. */
  down(): void {
    this.#endRecording();
    this.#abortSaving();
    this.#setProgress(0);
  }

  get #enabled(): boolean {
    return this.#options.parameters.read(ScanMergerEnabled);
  }

  #addScan(recording: Recording, scan: Scan): void {
    recording.addScan(scan);
    if (recording.cloud.isFull) this.stop();
  }

  /** The motion of the scanner, according to the present settings. */
  #motion(): MotionSource {
    const { parameters, encoder, imu, measuring } = this.#options;
    const center = parameters.read(RotationOffset);
    if (parameters.read(ScanMergerSource) === ScanMergeSource.IMU) {
      return new ImuMotion({ imu, measuring, center });
    }
    return new EncoderMotion(encoder, {
      type: parameters.read(EncoderTransformationType),
      rotation: parameters.read(EncoderRotation),
      translation: parameters.read(EncoderTranslation),
      center,
    });
  }

  #endRecording(): void {
    if (this.#running === undefined) return;
    this.#running.end();
    this.#running = undefined;
    this.#options.announcements.changed([MergeRunning]);
  }

  #save(recording: Recording): void {
    const controller = new AbortController();
    let left = 2;
    const one = () => {
      left -= 1;
      if (left === 0 && this.#saving === saving) this.#setSaving(undefined);
    };
    const cancel = this.#options.clock.after(savingMilliseconds, one);
    const saving = {
      abort: () => {
        controller.abort();
        cancel();
      },
    };
    this.#setSaving(saving);
    void this.#write(recording, controller.signal).then(one);
  }

  async #write({ cloud, scans }: Recording, signal: AbortSignal): Promise<void> {
    const { log } = this.#options;
    const fields = { points: cloud.count, scans };
    if (cloud.count === 0) log.warn('A 3D recording is empty: nothing was measured while it ran');
    try {
      await this.#file.save(cloud, signal, (share) => this.#setProgress(Math.floor(100 * share)));
      log.info('A 3D recording was saved', fields);
    } catch (error) {
      this.#setProgress(0);
      if (signal.aborted) log.warn('A 3D recording was lost before it was saved', fields);
      else log.error('A 3D recording could not be saved', { ...fields, reason: reasonOf(error) });
    }
  }

  #abortSaving(): void {
    this.#saving?.abort();
    this.#setSaving(undefined);
  }

  #setProgress(percent: number): void {
    if (percent === this.#progress) return;
    this.#progress = percent;
    this.#options.announcements.changed([SaveProgress]);
  }

  #setSaving(saving: { readonly abort: () => void } | undefined): void {
    const before = this.saving;
    this.#saving = saving;
    if (this.saving !== before) this.#options.announcements.changed([MergeSaving]);
  }
}
