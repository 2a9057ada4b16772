import { EncoderMode, measurementDataOutput } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { type Feature, method } from '../feature.js';
import type { ContainedHardware, EncoderSample } from '../hardware/contained-hardware.js';
import type { Clock } from '../interfaces/environment.js';
import type { Measuring } from '../measuring/measuring.js';
import { Pulse } from '../measuring/pulse.js';
import type { Uptime } from '../measuring/telegram-time.js';
import type { Parameters } from '../parameters/parameters.js';

const {
  EncSetting,
  EncResolution,
  ActualEncPosition1Enable,
  ActualEncPosition2Enable,
  mResetEncoderIncrement,
} = measurementDataOutput.members;

/** Hz (devices: telegrams 40 ms apart). */
const readingsPerSecond = 25;
/** Minimum time in µs over which the ticks of a counter show a speed: that between two readings. */
const speedWindow = 1_000_000 / readingsPerSecond;
/** µs over which the way of the core shows a speed. */
const speedStep = 1000;
/** mm/s of TX_FIX_VELOCITY: one tick per millisecond at a resolution of 1 mm (as devices do). */
const fixedVelocity = 1000;

const enabledBy = { 1: ActualEncPosition1Enable, 2: ActualEncPosition2Enable } as const;

/** A reading of the encoder. Times in µs of the scanner's clock; counters have 32 bits and wrap. */
export interface EncoderReading {
  /** Number of the reading. */
  readonly frame: number;
  readonly ticks: number;
  /** Ticks at the last signal of each reference, 0 before the first. */
  readonly references: readonly [number, number];
  /** mm/s. */
  readonly speed: number;
  readonly time: number;
  /** Time of the last signal of each reference, 0 before the first. */
  readonly referenceTimes: readonly [number, number];
}

interface Options {
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly hardware: Pick<ContainedHardware, 'encoder'>;
  readonly clock: Clock;
  readonly uptime: Uptime;
  readonly measuring: Pick<Measuring, 'travelled' | 'coreMade'>;
}

/** The way of the core that turns ticks, from a time on. */
interface Way {
  /** False while the encoder is off, or the hardware has one. */
  readonly counts: boolean;
  /** µs: the way up to here is in the ticks. */
  readonly since: number;
  readonly mode: number;
  /** mm for each tick. */
  readonly resolution: number;
}

const noWay: Way = { counts: false, since: 0, mode: EncoderMode.TX_OFF, resolution: 1 };

/**
 * Counts the ticks of an encoder: EncSetting is the counting mode, EncResolution the mm per tick. Hardware measures a
 * speed, which the ticks follow, or counts the ticks itself, which the speed follows. Without an encoder of the hardware,
 * the ticks follow the distance that the core has travelled.
 */
export class Encoder implements Feature {
  readonly methods = [
    method(mResetEncoderIncrement, () => {
      this.reset();
      return { ErrorCode: 0 };
    }),
  ];
  readonly #options: Options;
  readonly #pulse: Pulse<EncoderReading>;
  /** Ticks, with a fraction, at `#countedAt`. */
  #ticks = 0;
  #countedAt = 0;
  /** mm/s and ticks/s since that time. */
  #speed = 0;
  #rate = 0;
  /** The last count of the hardware. Undefined: it has not counted, or its ticks do not count. */
  #hardwareCount: number | undefined;
  #way = noWay;
  /** Ticks and time from which on a speed is computed from counted ticks. */
  #window = { ticks: 0, time: 0 };
  #frame = 0;
  #references: [number, number] = [0, 0];
  #referenceTimes: [number, number] = [0, 0];

  constructor(options: Options) {
    this.#options = options;
    this.#pulse = new Pulse(options.clock, readingsPerSecond, (due) =>
      this.#next(options.uptime.microsecondsAt(due)),
    );
    options.announcements.subscribeTo([EncSetting, EncResolution], () => this.changed());
  }

  /** Calls `listener` 25 times a second. Returns a function that ends it. */
  watch(listener: (reading: EncoderReading) => void): () => void {
    void this.#options.measuring.coreMade();
    return this.#pulse.watch(listener);
  }

  pause(): void {
    this.#pulse.pause();
  }

  resume(): void {
    this.#pulse.resume();
  }

  /** Called at a boot: all counters start at zero. */
  boot(): void {
    this.#frame = 0;
    this.#references = [0, 0];
    this.#referenceTimes = [0, 0];
    this.reset();
  }

  /** Remembers ticks and references. The number of readings goes on. */
  remember(): () => void {
    const { ticks } = this.reading;
    const [references, referenceTimes] = [this.#references, this.#referenceTimes];
    return () => {
      this.reset();
      this.#ticks = ticks;
      this.#references = references;
      this.#referenceTimes = referenceTimes;
    };
  }

  /** Resets the ticks to zero. */
  reset(): void {
    this.#ticks = 0;
    this.#countedAt = this.#options.uptime.microseconds;
    this.#hardwareCount = undefined;
    this.#way = noWay;
    this.#follow(this.#countedAt);
  }

  /** Called when the encoder or the counting mode may have changed. */
  changed(): void {
    this.#countTicks(this.#options.uptime.microseconds);
  }

  /** Records ticks and time of a reference signal, if it is enabled. */
  reference(number: 1 | 2): void {
    const { parameters, uptime } = this.#options;
    const enabled = enabledBy[number];
    if (!parameters.read(enabled)) return;
    this.changed();
    const now = uptime.microseconds;
    this.#references = withReference(this.#references, number, counter(this.#ticksAt(now)));
    this.#referenceTimes = withReference(this.#referenceTimes, number, Math.round(now));
  }

  get reading(): EncoderReading {
    // Only the hardware knows the ticks that it counts, and only the core where it is.
    if (this.#hardwareCount !== undefined || this.#way.counts) this.changed();
    return this.#readingAt(this.#options.uptime.microseconds);
  }

  #readingAt(time: number): EncoderReading {
    return {
      frame: this.#frame,
      ticks: counter(this.#ticksAt(time)),
      references: this.#references,
      speed: this.#speed,
      time: Math.round(time),
      referenceTimes: this.#referenceTimes,
    };
  }

  /** @param due µs: changes since then count already */
  #next(due: number): EncoderReading {
    const time = Math.max(due, this.#countedAt);
    this.#countTicks(time);
    this.#frame += 1;
    return this.#readingAt(time);
  }

  #countTicks(time: number): void {
    this.#ticks = this.#ticksAt(time);
    this.#countedAt = time;
    this.#follow(time);
  }

  /** Ticks, with a fraction, at a time after `#countedAt`. */
  #ticksAt(now: number): number {
    return this.#ticks + (this.#rate * (now - this.#countedAt)) / 1_000_000;
  }

  /** Reads the encoder. */
  #follow(time: number): void {
    const { parameters, hardware } = this.#options;
    const mode = parameters.read(EncSetting);
    const sample: EncoderSample = hardware.encoder();
    const isDriven = mode !== EncoderMode.TX_OFF && mode !== EncoderMode.TX_FIX_VELOCITY;
    const isCounted = this.#countWay(time);
    const way = {
      since: isCounted ? time : this.#way.since,
      resolution: parameters.read(EncResolution),
      mode,
    };
    this.#way = isDriven && sample.kind === 'none' ? { counts: true, ...way } : noWay;
    if (sample.kind === 'count' && isDriven) this.#followCount(sample.count, mode, time);
    else this.#followSpeed(this.#way.counts ? this.#speedOfWay(mode, time) : speedIn(mode, sample), time);
    if (this.#way.counts) this.#rate = 0;
  }

  /** Counts the way since it was counted before. Returns false if this has to wait until the core is made. */
  #countWay(time: number): boolean {
    const { counts, since, mode, resolution } = this.#way;
    if (!counts) return true;
    const { measuring } = this.#options;
    const travelled = measuring.travelled(time);
    const before = measuring.travelled(since);
    if (travelled === undefined || before === undefined) return false;
    this.#ticks += directed(mode, ((travelled - before) * 1000) / resolution);
    return true;
  }

  /** mm/s: the way of the core in the last millisecond. */
  #speedOfWay(mode: number, time: number): number {
    const { measuring } = this.#options;
    const way = (measuring.travelled(time) ?? 0) - (measuring.travelled(time - speedStep) ?? 0);
    return Math.round(directed(mode, (way * 1_000_000_000) / speedStep) * 1_000_000) / 1_000_000 + 0;
  }

  /** @param speed mm/s from now on */
  #followSpeed(speed: number, time: number): void {
    this.#hardwareCount = undefined;
    this.#window = { ticks: this.#ticks, time };
    this.#speed = speed;
    this.#rate = speed === 0 ? 0 : speed / this.#options.parameters.read(EncResolution);
  }

  /** @param count of the hardware, which may have wrapped */
  #followCount(count: number, mode: number, time: number): void {
    const before = this.#hardwareCount;
    this.#hardwareCount = count;
    this.#rate = 0;
    if (before === undefined) {
      this.#speed = 0;
      this.#window = { ticks: this.#ticks, time };
      return;
    }
    const counted = signedDifference(count, before);
    this.#ticks += directed(mode, counted);
    const passed = time - this.#window.time;
    if (passed < speedWindow - 1) return;
    const ticks = this.#ticks - this.#window.ticks;
    this.#speed = (ticks * this.#options.parameters.read(EncResolution) * 1_000_000) / passed;
    this.#window = { ticks: this.#ticks, time };
  }
}

/** mm/s in this counting mode. */
function speedIn(mode: number, sample: EncoderSample): number {
  if (mode === EncoderMode.TX_OFF) return 0;
  if (mode === EncoderMode.TX_FIX_VELOCITY) return fixedVelocity;
  return sample.kind === 'speed' ? directed(mode, sample.speed) : 0;
}

/** A single signal has no direction. */
function directed(mode: number, value: number): number {
  return mode === EncoderMode.TX_INCREMENT1 ? Math.abs(value) : value;
}

/** Ticks from one count to another of a counter of 32 bits: -2^31 to 2^31 - 1. */
function signedDifference(count: number, before: number): number {
  return Number(BigInt.asIntN(32, BigInt(count) - BigInt(before)));
}

/** Whole ticks of an unsigned counter of 32 bits. Due to the tolerance, a completed tick counts despite rounding. */
function counter(ticks: number): number {
  const rounded = Math.floor(ticks + 1e-6) % 2 ** 32;
  return rounded < 0 ? rounded + 2 ** 32 : rounded;
}

function withReference(
  [first, second]: readonly [number, number],
  number: 1 | 2,
  value: number,
): [number, number] {
  return number === 1 ? [value, second] : [first, value];
}
