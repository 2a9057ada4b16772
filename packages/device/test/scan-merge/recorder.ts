import {
  basicSettings,
  measurementDataOutput,
  mountingPosition,
  type PerformanceProfile,
  type Variable,
} from '@azimuth/model';
import { LogBook } from '@azimuth/test-support/log-book';
import { type Point, readPcd } from '@azimuth/test-support/pcd';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { until } from '@azimuth/test-support/waiting';
import { ScanMerge } from '../../src/scan-merge/scan-merge.js';
import { ScriptedCore } from './scripted-core.js';

export const output = measurementDataOutput.members;
export const { SensorPosition } = mountingPosition.members;
export const profile = basicSettings.members.PerformanceProfileNumber;

/** 20 Hz: a turn begins every 50 ms. */
const twentyHertz: (typeof PerformanceProfile)[keyof typeof PerformanceProfile] = 4;
const turn = 50;

const byPhase = 2;
/** mm: finer than the tested values. */
const tick = 0.001;
export const source = { imu: 0, encoder: 1 } as const;
export const transformation = { rotation: 0, translation: 1 } as const;

interface Wishes {
  readonly late?: boolean;
  readonly mostPoints?: number;
}

/** A 3D recorder on a scanner with a scripted core, on virtual time. */
export class Recorder {
  readonly core: ScriptedCore;
  readonly testDevice: TestDevice;
  readonly scanMerge: ScanMerge;
  /** mm/s of what drives the encoder. */
  readonly drive: (speed: number) => void;

  private constructor(
    core: ScriptedCore,
    testDevice: TestDevice,
    drive: (speed: number) => void,
    mostPoints?: number,
  ) {
    this.core = core;
    this.testDevice = testDevice;
    this.drive = drive;
    const { device, context, clock, storage, log } = testDevice;
    const { parameters, announcements } = context;
    const { measuring, encoder, imu } = device.features;
    this.scanMerge = new ScanMerge({
      ...{ parameters, announcements, measuring, encoder, imu },
      ...{ clock, storage, log },
      mostPoints,
    });
  }

  /**
   * @param late is the core made when it is needed?
   * @param mostPoints of a recording, where not as many as usual
   */
  static async open({ late = false, mostPoints }: Wishes = {}): Promise<Recorder> {
    const core = new ScriptedCore();
    const belt = { speed: 0 };
    const hardware = { log: new LogBook(), temperature: () => 20, encoder: { speed: () => belt.speed } };
    const testDevice = await TestDevice.open({ core: late ? async () => core : core, hardware: hardware });
    const drive = (speed: number) => {
      belt.speed = speed;
      testDevice.device.features.encoder.changed();
    };
    const recorder = new Recorder(core, testDevice, drive, mostPoints);
    recorder.set(output.ScanMergerEnabled, true);
    recorder.set(profile, twentyHertz);
    testDevice.clock.advance(1000);
    // Count of turns: one begins now.
    testDevice.device.features.measuring.request('stopped');
    testDevice.device.features.measuring.request('measuring');
    return recorder;
  }

  /** Starts another scanner on the stored data. */
  async afterPowerCut(): Promise<Recorder> {
    return new Recorder(this.core, await this.testDevice.afterPowerCut({ core: this.core }), this.drive);
  }

  set<T>(variable: Variable<T>, value: T): void {
    this.testDevice.device.write(variable, value, atService);
  }

  /** Has the encoder count a thousand ticks a mm, from 0 on. */
  count(mmPerSecond: number): void {
    this.set(output.EncSetting, byPhase);
    this.set(output.EncResolution, tick);
    this.drive(mmPerSecond);
    this.testDevice.device.features.encoder.reset();
  }

  /** Sets a translation in mm for each mm of the encoder. */
  translateBy(x: number, y: number, z: number): void {
    this.set(output.ScanMergerSource, source.encoder);
    this.set(output.EncoderTransformationType, transformation.translation);
    this.set(output.EncoderTranslation, { x: x * tick, y: y * tick, z: z * tick });
  }

  /** Sets a rotation in degrees for each mm of the encoder. */
  rotateBy(yaw: number, pitch: number, roll: number): void {
    this.set(output.ScanMergerSource, source.encoder);
    this.set(output.EncoderTransformationType, transformation.rotation);
    this.set(output.EncoderRotation, { yaw: yaw * tick, pitch: pitch * tick, roll: roll * tick });
  }

  /** Records for so many ms, and saves. A turn begins at the start and at the end. */
  async record(milliseconds: number): Promise<void> {
    this.scanMerge.start();
    this.testDevice.clock.advance(milliseconds);
    this.scanMerge.stop();
    this.testDevice.clock.advance(turn - (milliseconds % turn));
    await this.saved();
  }

  /** Waits until the recording is saved. */
  async saved(): Promise<void> {
    this.testDevice.clock.advance(1000);
    await until(async () => !this.scanMerge.saving);
  }

  /** The file of a download. */
  async file(): Promise<Buffer | undefined> {
    const cloud = await this.scanMerge.cloud();
    if (cloud === undefined) return undefined;
    const pieces: Uint8Array[] = [];
    for await (const piece of cloud.pieces()) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async points(): Promise<readonly Point[]> {
    const file = await this.file();
    if (file === undefined) throw new Error('no cloud was recorded');
    return readPcd(file).points;
  }
}

/** Coordinates in whole tenths of a mm: differences of float32 rounding do not count. */
export function placesOf(points: readonly Point[]): number[][] {
  return points.map(({ x, y, z }) => [x, y, z].map((metres) => Math.round(metres * 10_000) / 10_000 + 0));
}
