import { EncoderTransformation, type ValueOf } from '@azimuth/model';
import type { EncoderReading } from '../measurement-data-output/encoder.js';
import { turnBy } from './matrix.js';
import { type MotionSource, type Movement, shifted, turnedAbout } from './movement.js';
import { Trail } from './trail.js';

/** What a tick stands for. */
export interface TickMeaning {
  readonly type: ValueOf<'EncoderTransformationType'>;
  /** Degrees a tick. */
  readonly rotation: ValueOf<'EncoderRotation'>;
  /** mm a tick. */
  readonly translation: ValueOf<'EncoderTranslation'>;
  /** mm, in the coordinates of the machine. */
  readonly center: ValueOf<'RotationOffset'>;
}

const radians = Math.PI / 180;

/** A machine whose way is counted by an encoder: along a line, or about a point. */
export class EncoderMotion implements MotionSource {
  readonly #encoder: { readonly reading: EncoderReading };
  readonly #meaning: TickMeaning;
  readonly #trail = new Trail<number>((from, to, part) => from + (to - from) * part);
  #counter: number | undefined;
  /** Ticks since the first sample: a number with a sign, and without an end. */
  #ticks = 0;

  constructor(encoder: { readonly reading: EncoderReading }, meaning: TickMeaning) {
    this.#encoder = encoder;
    this.#meaning = meaning;
  }

  sample(): void {
    const { ticks, time } = this.#encoder.reading;
    // The counter has 32 bits and wraps: the shorter way round is the one that was gone.
    this.#ticks += (ticks - (this.#counter ?? ticks)) | 0;
    this.#counter = ticks;
    this.#trail.add(time, this.#ticks);
  }

  at(time: number): Movement | undefined {
    const ticks = this.#trail.at(time);
    if (ticks === undefined) return undefined;
    const { type, rotation, translation, center } = this.#meaning;
    if (type === EncoderTransformation.TRANSLATION) {
      return shifted([ticks * translation.x, ticks * translation.y, ticks * translation.z]);
    }
    const angle = ticks * radians;
    const turn = turnBy(angle * rotation.yaw, angle * rotation.pitch, angle * rotation.roll);
    return turnedAbout(turn, [center.x, center.y, center.z]);
  }
}
