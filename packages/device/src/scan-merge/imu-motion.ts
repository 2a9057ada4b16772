import type { ValueOf } from '@azimuth/model';
import type { ImuReading } from '../imu-data-output/imu.js';
import type { Measuring } from '../measuring/measuring.js';
import { inverse, type Matrix, product, turnBy } from './matrix.js';
import { type MotionSource, type Movement, turnedAbout } from './movement.js';
import { between, matrixOf, type Quaternion, turnBetween } from './quaternion.js';
import { Trail } from './trail.js';

const radiansPerUnit = Math.PI / 180 / 10_000;

interface Facts {
  readonly imu: { readonly reading: ImuReading };
  readonly measuring: Pick<Measuring, 'core'>;
  readonly position: ValueOf<'SensorPosition'>;
  /** mm, in the coordinates of the machine. */
  readonly center: ValueOf<'RotationOffset'>;
}

/** A machine whose turns are told by the scanner's inertial measurement unit. Where it goes, that does not tell. */
export class ImuMotion implements MotionSource {
  readonly #facts: Facts;
  /** Turns the axes of the scanner into those of the machine. */
  readonly #mount: Matrix;
  readonly #trail = new Trail<Quaternion>(between);
  #first: Quaternion | undefined;

  constructor(facts: Facts) {
    this.#facts = facts;
    const { yaw, pitch, roll } = facts.position;
    this.#mount = turnBy(yaw * radiansPerUnit, pitch * radiansPerUnit, roll * radiansPerUnit);
  }

  /** Before there is a core, there is nobody who knows. */
  sample(): void {
    const { imu, measuring } = this.#facts;
    if (measuring.core === undefined) return;
    const { motion, time } = imu.reading;
    this.#first ??= motion.orientation;
    this.#trail.add(time, motion.orientation);
  }

  at(time: number): Movement | undefined {
    const orientation = this.#trail.at(time);
    if (orientation === undefined || this.#first === undefined) return undefined;
    const ofScanner = matrixOf(turnBetween(this.#first, orientation));
    const ofMachine = product(product(this.#mount, ofScanner), inverse(this.#mount));
    const { x, y, z } = this.#facts.center;
    return turnedAbout(ofMachine, [x, y, z]);
  }
}
