import { azimuthCodeOf } from './compact.js';
import type { Segment, Telegram } from './telegram.js';

/** Expected properties of a stream of scan data. */
export interface Expected {
  readonly sender: number;
  /** Beams of each segment of a frame, in order. */
  readonly sizes: readonly number[];
  /** From one frame to the next. */
  readonly frameStep?: number;
  /** Longest time in µs from a segment's last beam to its sending; 20 ms unless stated. */
  readonly latest?: number;
  /** On a busy host: frames may be left out behind one that was sent so many µs late; never unless stated. */
  readonly leavesOutAfter?: number;
}

/** Half a code, and what is left of it in a float of 32 bits. */
const roundingOfCode = 0.502;
const roundingOfAngle = 2e-6;

/**
 * Checks a stream of scan data, telegram by telegram.
 * @throws Error at the first fault
 */
export class StreamAudit {
  #expected: Expected;
  #sequence: number;
  #frame: number | undefined;
  #next = 0;
  #lastTime = Number.NEGATIVE_INFINITY;
  #transmitted = Number.NEGATIVE_INFINITY;
  /** Delay of the last telegram, in µs. */
  #late = 0;
  /** Settings that apply from the next frame on. */
  #coming: Expected | undefined;
  #ending: 'broken off' | 'whole' = 'broken off';
  /** Frames that are complete. */
  frames = 0;

  /** @param before sequence number of the telegram before the first */
  constructor(expected: Expected, before = 0) {
    this.#expected = expected;
    this.#coming = expected;
    this.#sequence = before;
  }

  get sequence(): number {
    return this.#sequence;
  }

  /**
   * The configuration has changed: the current frame stays as it began, and the next one has this form.
   * @param ending whether the current frame may break off
   */
  change(expected: Partial<Expected> = {}, ending: 'broken off' | 'whole' = 'broken off'): void {
    this.#coming = { ...this.#expected, ...expected };
    this.#ending = ending;
  }

  add(telegrams: Iterable<Telegram>): void {
    for (const telegram of telegrams) {
      if (telegram.kind !== 'scan') throw this.#problem(`a telegram of ${telegram.kind} among scan data`);
      const [segment] = telegram.segments;
      if (segment === undefined || telegram.segments.length !== 1) throw this.#problem('one module expected');
      this.#addSegment(segment);
    }
  }

  #addSegment(segment: Segment): void {
    this.#same('telegram sequence', segment.sequence, this.#sequence + 1);
    this.#sequence = segment.sequence;
    this.#same('sender', segment.sender, this.#expected.sender);
    this.#place(segment);
    this.#same('beams', segment.beams, this.#expected.sizes[segment.index] ?? 0);
    this.#times(segment);
    this.#angles(segment);
  }

  #place(segment: Segment): void {
    if (this.#coming !== undefined && segment.index === 0) this.#beginAnew(segment, this.#coming);
    else if (!this.#isNext(segment)) {
      const { sizes } = this.#expected;
      const expected = `frame ${this.#frame}, segment ${this.#next} of ${sizes.length}`;
      throw this.#problem(`${expected} expected, got frame ${segment.frame}, segment ${segment.index}`);
    }
    this.#frame = segment.frame;
    this.#next = segment.index + 1;
    if (this.#next === this.#expected.sizes.length) this.frames += 1;
  }

  /** The first frame of all, or the first one after a change. */
  #beginAnew({ frame }: Segment, expected: Expected): void {
    if (this.#frame !== undefined && frame <= this.#frame) {
      throw this.#problem(`frame ${frame} after frame ${this.#frame}`);
    }
    const missing = this.#expected.sizes.length - this.#next;
    if (this.#ending === 'whole' && missing !== 0) {
      throw this.#problem(`frame ${this.#frame} was broken off: ${missing} segments are missing`);
    }
    this.#expected = expected;
    this.#coming = undefined;
  }

  #isNext({ frame, index }: Segment): boolean {
    if (this.#frame === undefined) return false;
    const { sizes, frameStep = 1 } = this.#expected;
    if (this.#next < sizes.length) return frame === this.#frame && index === this.#next;
    if (index !== 0) return false;
    const { leavesOutAfter = Number.POSITIVE_INFINITY } = this.#expected;
    return frame === this.#frame + frameStep || (frame > this.#frame && this.#late > leavesOutAfter);
  }

  #times(segment: Segment): void {
    const { firstTime, lastTime, transmitTime } = segment;
    if (firstTime <= this.#lastTime)
      throw this.#problem(`first beam at ${firstTime}, not after ${this.#lastTime}`);
    this.#lastTime = lastTime;
    if (transmitTime < this.#transmitted) {
      throw this.#problem(`sent at ${transmitTime}, the one before at ${this.#transmitted}`);
    }
    this.#transmitted = transmitTime;
    this.#late = transmitTime - lastTime;
    if (transmitTime < firstTime)
      throw this.#problem(`sent at ${transmitTime}, before its first beam at ${firstTime}`);
    if (transmitTime > lastTime + (this.#expected.latest ?? 20_000)) {
      throw this.#problem(`sent at ${transmitTime}, its last beam was at ${lastTime}`);
    }
  }

  #angles({ firstAzimuth, lastAzimuth, beams, azimuth, azimuthCode }: Segment): void {
    const step = beams === 1 ? 0 : (lastAzimuth - firstAzimuth) / (beams - 1);
    if (step < 0) throw this.#problem(`azimuth falls from ${firstAzimuth} to ${lastAzimuth}`);
    for (let beam = 0; beam < beams; beam += 1) {
      const between = firstAzimuth + step * beam;
      const code = azimuthCode?.[beam];
      if (code !== undefined && Math.abs(code - azimuthCodeOf(between)) > roundingOfCode) {
        throw this.#problem(
          `beam ${beam}: azimuth code ${azimuthCodeOf(between)} rounded expected, got ${code}`,
        );
      }
      if (azimuthCode !== undefined) continue;
      const angle = azimuth?.[beam];
      if (angle !== undefined && Math.abs(angle - between) > roundingOfAngle) {
        throw this.#problem(`beam ${beam}: azimuth ${between} expected, got ${angle}`);
      }
    }
  }

  #same(what: string, value: number, expected: number): void {
    if (value !== expected) throw this.#problem(`${what} ${expected} expected, got ${value}`);
  }

  #problem(what: string): Error {
    return new Error(`telegram ${this.#sequence}: ${what}`);
  }
}
