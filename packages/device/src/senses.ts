import {
  contaminationIndication,
  fieldEvaluation,
  imuDataOutput,
  SCdevicestate,
  status,
  type Variable,
} from '@azimuth/model';
import type { Announcements } from './announcements.js';
import { Contamination } from './contamination-indication/contamination.js';
import { contaminationIndicationRoom } from './contamination-indication/contamination-indication-room.js';
import type { DeviceTime } from './date-and-system-time/device-time.js';
import type { DetectionHistory } from './detection-history/detection-history.js';
import { detectionHistoryRoom } from './detection-history/detection-history-room.js';
import { FieldEvaluation } from './field-evaluation/field-evaluation.js';
import { fieldEvaluationRoom } from './field-evaluation/field-evaluation-room.js';
import { keepFieldsSound } from './field-evaluation/field-rules.js';
import { sightLater } from './field-evaluation/sight-later.js';
import type { TeachIn } from './field-evaluation/teach-in.js';
import { Imu } from './imu-data-output/imu.js';
import { imuDataOutputRoom } from './imu-data-output/imu-data-output-room.js';
import { inputsAndOutputsRoom } from './inputs-and-outputs/inputs-and-outputs-room.js';
import { Ports } from './inputs-and-outputs/ports.js';
import { Later } from './later.js';
import type { Conditions } from './lifecycle/condition.js';
import { Encoder } from './measurement-data-output/encoder.js';
import { measurementDataOutputRoom } from './measurement-data-output/measurement-data-output-room.js';
import type { CoreSource } from './measuring/core-source.js';
import { Measuring } from './measuring/measuring.js';
import { processingLater } from './measuring/processing-later.js';
import { processingVariables } from './measuring/processing-settings.js';
import { TelegramTime } from './measuring/telegram-time.js';
import { Uptime } from './measuring/uptime.js';
import type { Parameters } from './parameters/parameters.js';
import { perpendicularDistanceRoom } from './perpendicular-distance/perpendicular-distance-room.js';
import type { Clock } from './ports/clock.js';
import type { Host } from './ports/host.js';
import type { Storage } from './ports/storage.js';
import type { Room } from './room.js';
import { recorderPartsLater } from './scan-merge/recorder-parts-later.js';
import { ScanMerge } from './scan-merge/scan-merge.js';
import { scanMergeRoom } from './scan-merge/scan-merge-room.js';
import type { TemperatureAlarm } from './status/temperature-alarm.js';

/** Loaded when somebody teaches fields in, so that a scanner starts without it. */
const teachIn = new Later(async () => (await import('./field-evaluation/teach-in.js')).TeachIn);

/** What outputs follow, as far as it is announced. */
const outputsFollow: readonly Variable<unknown>[] = [
  status.members.DeviceStatus,
  status.members.temperatureAlarmStatus,
  fieldEvaluation.members.FieldEvaluationResult,
  contaminationIndication.members.ContaminationResult,
];

/** The port whose input starts and stops a 3D recording, where ScanMergeTrigger says so. */
const recordingInput = 1;

interface Facts {
  readonly core: CoreSource;
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly conditions: Conditions;
  readonly clock: Clock;
  readonly time: DeviceTime;
  readonly host: Host;
  readonly storage: Storage;
  readonly temperatureAlarm: TemperatureAlarm;
  readonly history: DetectionHistory;
  /** Told of one who looks at what is measured and fails. */
  readonly viewerFailed: (error: unknown) => void;
}

/** What the scanner measures with, and what it does with what it sees: connected to each other, up and down together. */
export class Senses {
  readonly measuring: Measuring;
  readonly encoder: Encoder;
  readonly imu: Imu;
  readonly contamination: Contamination;
  readonly ports: Ports;
  readonly fields: FieldEvaluation;
  readonly history: DetectionHistory;
  readonly scanMerge: ScanMerge;
  readonly telegramTime: TelegramTime;
  readonly #time: DeviceTime;
  readonly #parameters: Parameters;
  readonly #uptime: Uptime;
  #teachIn: TeachIn | undefined;

  constructor(facts: Facts) {
    const { host, conditions, history, temperatureAlarm, announcements, parameters } = facts;
    const uptime = new Uptime(facts.clock);
    const { log } = host;
    this.#uptime = uptime;
    this.#time = facts.time;
    this.telegramTime = new TelegramTime(log);
    this.#parameters = parameters;
    this.history = history;
    this.contamination = new Contamination({ ...facts, levels: () => host.contamination?.() ?? [] });
    this.measuring = new Measuring({
      ...facts,
      uptime,
      telegramTime: this.telegramTime,
      log,
      screen: (scan) => this.contamination.apply(scan),
    });
    this.encoder = new Encoder({ ...facts, uptime });
    this.imu = new Imu(facts.clock, uptime, this.measuring);
    const { InertialMeasurementUnit } = imuDataOutput.members;
    announcements.whileFollowed(InertialMeasurementUnit, () =>
      this.imu.watch(() => announcements.changed([InertialMeasurementUnit])),
    );
    this.ports = new Ports({
      ...facts,
      uptime,
      signals: {
        ready: () => conditions.shortState === SCdevicestate.Ready,
        field: (evaluation) => this.fields.infringed(evaluation),
        contaminationWarning: () => this.contamination.result.bWarningActive,
        contaminationError: () => this.contamination.result.bErrorActive,
        temperatureAlarm: () => temperatureAlarm.raised,
      },
      encoderReference: (signal) => this.encoder.reference(signal),
    });
    this.fields = new FieldEvaluation({ ...facts, measuring: this.measuring, inputs: this.ports, log });
    history.follow({ fields: this.fields, parameters, announcements });
    this.scanMerge = new ScanMerge({
      ...facts,
      log,
      measuring: this.measuring,
      encoder: this.encoder,
      imu: this.imu,
    });
    this.ports.onInput((port, active) => {
      this.fields.inputsChanged();
      if (port === recordingInput) this.scanMerge.inputActive(active);
    });
    announcements.subscribeTo(outputsFollow, () => this.ports.update());
    keepFieldsSound(parameters);
  }

  /**
   * Loads what works on scans, which is else loaded when it is needed. A core that is there hands scans over at once:
   * then everything is to be there for the first one.
   */
  static async readyForScans(): Promise<void> {
    await Promise.all([processingLater.loaded(), sightLater.loaded(), recorderPartsLater.loaded()]);
  }

  /** The behaviour behind the groups that are about it. */
  get rooms(): readonly Room[] {
    return [
      measurementDataOutputRoom(this.encoder),
      imuDataOutputRoom(this.imu, this.telegramTime),
      scanMergeRoom(this.scanMerge),
      contaminationIndicationRoom(this.contamination),
      inputsAndOutputsRoom(this.ports),
      fieldEvaluationRoom(this.fields, () => this.#teaching(), this.#parameters),
      perpendicularDistanceRoom(this.fields.distances),
      detectionHistoryRoom(this.history),
      // What the filters and regions of interest do, measuring does as it goes.
      { heeds: processingVariables },
    ];
  }

  /** Comes up with the parameters as they were stored; time and counters begin at zero. */
  boot(): void {
    this.#uptime.restart();
    this.telegramTime.restart();
    this.encoder.boot();
    this.contamination.boot();
    this.ports.boot();
    this.measuring.boot();
    this.fields.boot();
    this.scanMerge.boot();
  }

  /** Goes down: for a reboot, or for good. */
  down(): void {
    this.scanMerge.down();
    this.fields.down();
    this.#teachIn?.end();
    this.measuring.down();
    this.ports.down();
    this.contamination.down();
  }

  /** Power goes off for good. */
  async end(): Promise<void> {
    this.down();
    await this.history.end();
  }

  /** The clock was set by a time server, or is not synchronised any more: telegrams follow between two scans. */
  clockSynchronised(isSynchronised: boolean): void {
    const ahead = this.#time.utc * 1000 - this.#uptime.microseconds;
    this.telegramTime.follow(isSynchronised ? ahead : undefined, this.measuring.nextScan);
  }

  async #teaching(): Promise<TeachIn> {
    const Teaching = await teachIn.loaded();
    this.#teachIn ??= new Teaching(this.#parameters, this.measuring);
    return this.#teachIn;
  }

  /** What goes on by itself as time passes. */
  get #running() {
    return [this.measuring, this.encoder, this.imu, this.fields];
  }

  /** Measures nothing until `resume`. */
  pause(): void {
    for (const one of this.#running) one.pause();
  }

  resume(): void {
    for (const one of this.#running) one.resume();
  }
}
