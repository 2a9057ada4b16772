import {
  type MeasuringCore,
  type MeasuringOrder,
  type Motion,
  RevolutionTimer,
  Scan,
  type ScanGeometry,
} from '@azimuth/device';
import { furthestDistance } from '@azimuth/device/cores';
import { type Dirt, FrontScreen } from '../virtual-hardware.js';
import { beamsOf, recordedGeometry } from './recorded-geometry.js';
import { unpackInto } from './recorded-segment.js';
import {
  contentsOf,
  type PlayedRecording,
  playableScans,
  type RecordedMotion,
  type RecordedScan,
} from './recording.js';

/** Options of playing a recording. */
export interface ReplayOptions {
  /** Factor by which it is played faster than it was recorded, 0.01 to 100; default 1. */
  readonly speed?: number | undefined;
  /** True if it begins again after the last scan; default true. */
  readonly loop?: boolean | undefined;
  /** Dirt on the front screen, which weakens the recorded echoes; default none. */
  readonly dirt?: Dirt | undefined;
}

const speeds = { least: 0.01, most: 100 } as const;

/**
 * A measuring core that plays a recording: its scans at the recorded frequency, with the numbers and times of this scanner.
 * The first scan is played at the origin of the first order. The number of the revolution alone decides which scan is played,
 * so pauses in measuring make no difference.
 *
 * The beams are the beams of the recording. The geometry of an order is ignored, and its sensitivity matters only behind
 * dirt. Echoes beyond the largest distance of telegrams are left out.
 */
export class ReplayCore implements MeasuringCore {
  /** The beams of the recording. The frequency includes the speed of playing. */
  readonly geometry: ScanGeometry;
  /** Telegrams that belong to scans of the recording. */
  readonly scanTelegrams: number;
  /** Telegrams that cannot be played: broken, of another scanner, without beams. Encoder telegrams are not counted. */
  readonly unused: number;
  readonly #scans: readonly RecordedScan[];
  readonly #motion: RecordedMotion;
  readonly #loop: boolean;
  readonly #speed: number;
  readonly #output: Scan;
  readonly #screen: FrontScreen;
  #isFinished = false;
  #firstNumber: number | undefined;
  #origin: MeasuringOrder['origin'] | undefined;
  #timer: RevolutionTimer | undefined;

  /**
   * @param recording the bytes of a recording, in our own format, pcap or pcapng; or its telegrams.
   * @throws RecordingError if it is not a recording, or is broken
   * @throws ReplayError if it has no complete scan, cannot be played, or is too large
   * @throws RangeError for a speed out of range
   */
  constructor(recording: PlayedRecording, { speed = 1, loop = true, dirt }: ReplayOptions = {}) {
    if (!(speed >= speeds.least && speed <= speeds.most)) {
      throw new RangeError(`expected a speed from ${speeds.least} to ${speeds.most}, got ${speed}`);
    }
    const contents = contentsOf(recording);
    this.#scans = playableScans(contents);
    const recorded = recordedGeometry(this.#scans);
    this.geometry = { ...recorded, frequency: recorded.frequency * speed };
    this.scanTelegrams = contents.scanTelegrams;
    this.unused = contents.unused;
    this.#motion = contents.motion;
    this.#loop = loop;
    this.#speed = speed;
    this.#output = new Scan(this.geometry);
    this.#screen = new FrontScreen(dirt);
  }

  /** Hz. */
  get frequency(): number {
    return this.geometry.frequency;
  }

  /** True if the last scan was played. */
  get finished(): boolean {
    return this.#isFinished;
  }

  /** Number of scans that are played. */
  get scans(): number {
    return this.#scans.length;
  }

  start(order: MeasuringOrder, measured: (scan: Scan) => void): void {
    this.stop();
    this.#firstNumber ??= order.origin.number;
    this.#origin = order.origin;
    const play = (number: number, time: number) => this.#play(number, time, order, measured);
    this.#timer = new RevolutionTimer(order, play, this.geometry.frequency);
  }

  stop(): void {
    this.#timer?.end();
    this.#timer = undefined;
  }

  motion(time: number): Motion {
    const frequency = this.geometry.frequency / 1_000_000;
    const { number, time: since } = this.#origin ?? { number: 0, time };
    const revolutions = number - (this.#firstNumber ?? 0) + (time - since) * frequency;
    const completed = Math.floor(revolutions);
    const { received = 0 } = this.#scans[this.#indexOf(completed) ?? this.#scans.length - 1] ?? {};
    return this.#motion.at(received + ((revolutions - completed) * this.#speed) / frequency);
  }

  #play(
    number: number,
    time: number,
    { sensitivity, longRange }: MeasuringOrder,
    measured: (scan: Scan) => void,
  ): void {
    const index = this.#indexOf(number - (this.#firstNumber ?? 0));
    const recorded = index === undefined ? undefined : this.#scans[index];
    if (recorded === undefined) {
      this.#isFinished = true;
      this.stop();
      return;
    }
    const scan = this.#output;
    scan.clear();
    scan.number = number;
    scan.time = time;
    for (const segment of recorded.segments.values()) {
      const { first, step } = beamsOf(this.geometry, segment);
      unpackInto(scan, segment, first, step, furthestDistance(longRange));
    }
    this.#screen.weaken(scan, sensitivity);
    measured(scan);
  }

  /** Returns the index of the scan to play this many revolutions after the first; undefined after the last. */
  #indexOf(revolutions: number): number | undefined {
    const count = this.#scans.length;
    if (this.#loop) return ((revolutions % count) + count) % count;
    return revolutions < count ? Math.max(0, revolutions) : undefined;
  }
}
