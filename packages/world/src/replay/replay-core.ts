import {
  type MeasuringCore,
  type MeasuringOrder,
  type Motion,
  Rotation,
  Scan,
  type ScanGeometry,
} from '@azimuth/device';
import { contentsOf, wholeTurns } from './contents.js';
import { placeOf, recordedGeometry } from './recorded-geometry.js';
import type { RecordedMotion } from './recorded-motion.js';
import { unpackInto } from './recorded-segment.js';
import type { Turn } from './recorded-turns.js';

/** How a recording is played. */
export interface ReplayOptions {
  /** So many times as fast as it was recorded, 0.01 to 100; 1 where it is left out. */
  readonly speed?: number;
  /** From the beginning again after the last turn, where it is not false. */
  readonly loop?: boolean;
}

const speeds = { least: 0.01, most: 100 } as const;

/**
 * Plays a recording in place of a laser: its turns at the rate at which they were recorded, with the numbers and times of
 * the scanner that plays them. The first one stands at the turn that the first order counts from; which one is played
 * follows from the number of the turn alone, so it is the same whether somebody looked in between or not.
 *
 * The beams are those of the recording, whatever the order asks for; sensitivity and range cannot be changed afterwards.
 */
export class ReplayCore implements MeasuringCore {
  /** The beams of the recording; its frequency is that of playing. */
  readonly geometry: ScanGeometry;
  /** Telegrams of scans that are played. */
  readonly scanTelegrams: number;
  /** Telegrams that are not: broken, of another scanner, without beams. Encoders are not counted. */
  readonly unused: number;
  readonly #turns: readonly Turn[];
  readonly #motion: RecordedMotion;
  readonly #loop: boolean;
  readonly #speed: number;
  readonly #scan: Scan;
  #firstNumber: number | undefined;
  #origin: MeasuringOrder['origin'] | undefined;
  #rotation: Rotation | undefined;

  /**
   * @param recording the bytes of a recording: our own format, pcap or pcapng.
   * @throws RecordingError where it is none, or broken.
   * @throws ReplayError where it holds no complete scan, cannot be played, or is too large.
   * @throws RangeError for a speed out of range.
   */
  constructor(recording: Uint8Array, { speed = 1, loop = true }: ReplayOptions = {}) {
    if (!(speed >= speeds.least && speed <= speeds.most)) {
      throw new RangeError(`a speed from ${speeds.least} to ${speeds.most} expected, ${speed} came`);
    }
    const contents = contentsOf(recording);
    this.#turns = wholeTurns(contents);
    const recorded = recordedGeometry(this.#turns);
    this.geometry = { ...recorded, frequency: recorded.frequency * speed };
    this.scanTelegrams = contents.scanTelegrams;
    this.unused = contents.unused;
    this.#motion = contents.motion;
    this.#loop = loop;
    this.#speed = speed;
    this.#scan = new Scan(this.geometry);
  }

  /** Turns that are played. */
  get turns(): number {
    return this.#turns.length;
  }

  start(order: MeasuringOrder, measured: (scan: Scan) => void): void {
    this.stop();
    this.#firstNumber ??= order.origin.number;
    this.#origin = order.origin;
    const turn = (number: number, time: number) => this.#play(number, time, measured);
    this.#rotation = new Rotation(order, turn, this.geometry.frequency);
  }

  stop(): void {
    this.#rotation?.end();
    this.#rotation = undefined;
  }

  motion(time: number): Motion {
    const frequency = this.geometry.frequency / 1_000_000;
    const { number, time: since } = this.#origin ?? { number: 0, time };
    const turns = number - (this.#firstNumber ?? 0) + (time - since) * frequency;
    const whole = Math.floor(turns);
    const { received = 0 } = this.#turns[this.#indexOf(whole) ?? this.#turns.length - 1] ?? {};
    return this.#motion.at(received + ((turns - whole) * this.#speed) / frequency);
  }

  #play(number: number, time: number, measured: (scan: Scan) => void): void {
    const index = this.#indexOf(number - (this.#firstNumber ?? 0));
    const turn = index === undefined ? undefined : this.#turns[index];
    if (turn === undefined) {
      this.stop();
      return;
    }
    const scan = this.#scan;
    scan.clear();
    scan.number = number;
    scan.time = time;
    for (const segment of turn.segments.values()) {
      const { first, step } = placeOf(this.geometry, segment);
      unpackInto(scan, segment, first, step);
    }
    measured(scan);
  }

  /** Which recorded turn is played as turn `turns` since the first; undefined after the last. */
  #indexOf(turns: number): number | undefined {
    const count = this.#turns.length;
    if (this.#loop) return ((turns % count) + count) % count;
    return turns < count ? Math.max(0, turns) : undefined;
  }
}
