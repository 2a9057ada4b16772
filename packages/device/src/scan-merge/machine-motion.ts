import { EncoderTransformation, type ValueOf } from '@azimuth/model';
import type { ImuReading } from '../imu-data-output/imu.js';
import type { EncoderReading } from '../measurement-data-output/encoder.js';
import type { Measuring } from '../measuring/measuring.js';
import { radPerDegree } from '../scan/scan.js';
import {
  interpolated,
  type Matrix,
  matrixOf,
  type Quaternion,
  rotated,
  rotationBetween,
  rotationBy,
  type Vector,
} from './rotations.js';

/**
 * The displacement of a scanner: it moves a point p to `rotation` · p + `translation`, in mm and its first coordinates.
 */
export interface Displacement {
  readonly rotation: Matrix;
  readonly translation: Vector;
}

const noRotation: Matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1];

function translatedBy(translation: Vector): Displacement {
  return { rotation: noRotation, translation };
}

/** A rotation about a fixed point. */
function rotatedAbout(rotation: Matrix, point: Vector): Displacement {
  const [x, y, z] = rotated(rotation, point);
  return { rotation, translation: [point[0] - x, point[1] - y, point[2] - z] };
}

/** The motion of the scanner during a recording. */
export interface MotionSource {
  /** Samples the position of the scanner now. `at` counts from the first sample. */
  sample(): void;
  /** The displacement up to a time (µs of the scanner's clock). Undefined without a sample for that time. */
  at(time: number): Displacement | undefined;
}

/** Number of stored samples: a late scanner has to catch up with a few scans. */
const storedSamples = 16;

/** Rounding of the times of samples, in µs. */
const rounding = 1;

interface Sample<T> {
  readonly time: number;
  readonly value: T;
}

/** The last samples of a value in time, with interpolation between them. */
class SampleHistory<T> {
  readonly #interpolate: (from: T, to: T, part: number) => T;
  readonly #samples: Sample<T>[] = [];

  /** @param interpolate between two values: `from` at part 0, `to` at part 1 */
  constructor(interpolate: (from: T, to: T, part: number) => T) {
    this.#interpolate = interpolate;
  }

  /** Adds a sample. Ignores it if it is not later than the last one. */
  add(time: number, value: T): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && time <= last.time) return;
    this.#samples.push({ time, value });
    if (this.#samples.length > storedSamples) this.#samples.shift();
  }

  /** The value at a time. After the last sample it is the last value. Undefined before the first stored sample. */
  at(time: number): T | undefined {
    let to: Sample<T> | undefined;
    for (let index = this.#samples.length - 1; index >= 0; index--) {
      const from = this.#samples[index];
      if (from === undefined) return undefined;
      if (from.time <= time + rounding) {
        if (to === undefined) return from.value;
        return this.#interpolate(from.value, to.value, Math.max(0, time - from.time) / (to.time - from.time));
      }
      to = from;
    }
    return undefined;
  }
}

/** The motion of the scanner for each encoder tick. */
interface TickMotion {
  readonly type: ValueOf<'EncoderTransformationType'>;
  /** Degrees for each tick. */
  readonly rotation: ValueOf<'EncoderRotation'>;
  /** mm for each tick. */
  readonly translation: ValueOf<'EncoderTranslation'>;
  /** mm, in the coordinates of the scanner. */
  readonly center: ValueOf<'RotationOffset'>;
}

/** The motion of a scanner by an encoder: along a line, or about a point. */
export class EncoderMotion implements MotionSource {
  readonly #encoder: { readonly reading: EncoderReading };
  readonly #tickMotion: TickMotion;
  readonly #history = new SampleHistory<number>((from, to, part) => from + (to - from) * part);
  #counter: number | undefined;
  /** Ticks since the first sample: with a sign, and not limited to 32 bits. */
  #ticks = 0;

  constructor(encoder: { readonly reading: EncoderReading }, tickMotion: TickMotion) {
    this.#encoder = encoder;
    this.#tickMotion = tickMotion;
  }

  sample(): void {
    const { ticks, time } = this.#encoder.reading;
    // The counter has 32 bits and wraps, so the smaller difference is the right one.
    this.#ticks += (ticks - (this.#counter ?? ticks)) | 0;
    this.#counter = ticks;
    this.#history.add(time, this.#ticks);
  }

  at(time: number): Displacement | undefined {
    const ticks = this.#history.at(time);
    if (ticks === undefined) return undefined;
    const { type, rotation, translation, center } = this.#tickMotion;
    if (type === EncoderTransformation.TRANSLATION) {
      return translatedBy([ticks * translation.x, ticks * translation.y, ticks * translation.z]);
    }
    const angle = ticks * radPerDegree;
    const matrix = rotationBy(angle * rotation.yaw, angle * rotation.pitch, angle * rotation.roll);
    return rotatedAbout(matrix, [center.x, center.y, center.z]);
  }
}

interface Options {
  readonly imu: { readonly reading: ImuReading };
  readonly measuring: Pick<Measuring, 'core'>;
  /** mm, in the coordinates of the scanner. */
  readonly center: ValueOf<'RotationOffset'>;
}

/** The rotation of a scanner by its inertial measurement unit, which measures no translation. */
export class ImuMotion implements MotionSource {
  readonly #options: Options;
  readonly #history = new SampleHistory<Quaternion>(interpolated);
  #first: Quaternion | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Without a core there is nothing to sample. */
  sample(): void {
    const { imu, measuring } = this.#options;
    if (measuring.core === undefined) return;
    const { motion, time } = imu.reading;
    this.#first ??= motion.orientation;
    this.#history.add(time, motion.orientation);
  }

  at(time: number): Displacement | undefined {
    const orientation = this.#history.at(time);
    if (orientation === undefined || this.#first === undefined) return undefined;
    const { x, y, z } = this.#options.center;
    return rotatedAbout(matrixOf(rotationBetween(this.#first, orientation)), [x, y, z]);
  }
}
