import { type DateTime, dateTimeOf, Refusal, type ZoneOffset } from '@azimuth/model';
import type { Clock } from '../interfaces/environment.js';

/** Reads of the two clocks of the host: the shortest counts. */
const mostReads = 5;

/** The end of 2105, the last year of the interface. */
const lastMicrosecond = Date.UTC(2106, 0) * 1000 - 1;

/** A clock with a constant rate, relative to the monotonic clock. */
interface ClockLine {
  /** Time of the monotonic clock in ms. */
  readonly at: number;
  /** UTC at that time, in ms since 1970. */
  readonly utc: number;
  /** ms that UTC gains on the monotonic clock per ms. */
  readonly rate: number;
}

/**
 * The run of the clock.
 *
 * | from | by | to |
 * |---|---|---|
 * | any | a master that steers it | steered |
 * | steered | a time server, or somebody who sets it | even |
 * | any | a boot | even, with the time of the host |
 */
type Run =
  /**
   * Same rate as the monotonic clock.
   * @property ahead whole µs ahead of the host; fractions of milliseconds would not be exact
   */
  | { readonly kind: 'even'; readonly ahead: number }
  /** A line over the monotonic clock, with a rate of its own. */
  | { readonly kind: 'steered'; readonly line: ClockLine };

/** The zone of local time. A zone that was set by hand does not follow daylight saving. */
type Zone = { readonly of: 'host' } | { readonly of: 'server' | 'hand'; readonly offset: ZoneOffset };

/**
 * The device clock: a calendar date and time. It starts from the host's local time, and can be set by hand or by a time
 * server until the next boot (there is no battery). Between two boots its rate is constant, even if the host's clock is
 * set.
 */
export class DeviceTime {
  readonly #clock: Clock;
  /** Lead of the host's UTC over the monotonic clock at the boot, in ms. The host's clock may be set later. */
  #hostAhead: number;
  #run: Run = { kind: 'even', ahead: 0 };
  #zone: Zone = { of: 'host' };

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#hostAhead = clock.utcAhead?.() ?? clock.utc() - clock.monotonic();
  }

  /** Milliseconds of the device's local time since 1970-01-01, counted as if there were no time zones. */
  get local(): number {
    return this.#localMicroseconds / 1000;
  }

  /** Whole seconds of `local`. */
  get second(): number {
    return Math.floor(this.local / 1000);
  }

  get #localMicroseconds(): number {
    const zone = this.#zone;
    const offset = zone.of === 'host' ? this.#clock.localOffset(this.#hostUtc) : zone.offset(this.utc);
    if (this.#run.kind === 'steered') return Math.round((this.utc + offset) * 1000);
    return Math.round((this.#hostUtc + offset) * 1000) + this.#run.ahead;
  }

  /** Milliseconds since 1970-01-01 UTC by the device clock. */
  get utc(): number {
    const run = this.#run;
    if (run.kind === 'steered') return utcOn(run.line, this.#clock.monotonic());
    return this.#hostUtc + run.ahead / 1000;
  }

  /** UTC in ms by the host's clock at the boot. It runs with a constant rate. */
  get #hostUtc(): number {
    return this.#clock.monotonic() + this.#hostAhead;
  }

  /** The device clock as a line through a time of the monotonic clock (ms). */
  lineAt(at: number): ClockLine {
    const run = this.#run;
    if (run.kind === 'steered') return { at, utc: utcOn(run.line, at), rate: run.line.rate };
    return { at, utc: at + this.#hostAhead + run.ahead / 1000, rate: 0 };
  }

  /** `utc` at a time of the monotonic clock (ms). */
  utcAt(at: number): number {
    return this.lineAt(at).utc;
  }

  /**
   * Steers the clock along this line from now on.
   * @param zone of local time; undefined: it stays
   */
  discipline(line: ClockLine, zone?: ZoneOffset): void {
    this.#run = { kind: 'steered', line };
    if (zone !== undefined) this.#zone = { of: 'server', offset: zone };
  }

  /** Local date and time. It stops at the end of 2105. */
  now(): DateTime {
    return dateTimeOf(Math.min(this.#localMicroseconds, lastMicrosecond));
  }

  /**
   * Sets the clock to the time of a server, with local time in a zone. Returns the change of the clock in ms.
   * @param ahead ms that the server's UTC is ahead of the host's
   */
  synchronise(ahead: number, zone: ZoneOffset): number {
    const before = this.#ahead;
    // The host's clock may have been set since the boot.
    const now = Math.round((ahead + this.#clock.utc() - this.#hostUtc) * 1000);
    this.#run = { kind: 'even', ahead: now };
    this.#zone = { of: 'server', offset: zone };
    return (now - before) / 1000;
  }

  /** Changes the zone of a time that came from a server. Does nothing if the clock was set by hand since. */
  setZone(zone: ZoneOffset): void {
    if (this.#zone.of === 'server') this.#zone = { of: 'server', offset: zone };
  }

  /**
   * µs from the present local time to this one.
   * @throws Refusal 6 for a date that does not exist, or one before 1970
   */
  differenceTo(to: DateTime): number {
    const midnight = Date.UTC(to.uiYear, to.usiMonth - 1, to.usiDay);
    const date = new Date(midnight);
    if (to.uiYear < 1970)
      throw new Refusal('outOfRange', 'DateTime.uiYear', `expected 1970 to 2105, got ${to.uiYear}`);
    if (date.getUTCMonth() !== to.usiMonth - 1 || date.getUTCDate() !== to.usiDay) {
      throw new Refusal('outOfRange', 'DateTime', `no calendar has day ${to.usiDay} of month ${to.usiMonth}`);
    }
    const time = ((to.usiHour * 60 + to.usiMinute) * 60 + to.usiSec) * 1000;
    return (midnight + time) * 1000 + to.udiUSec - this.#localMicroseconds;
  }

  /**
   * Sets the clock until the next boot, or until a time server sets it.
   * @throws as `differenceTo`
   */
  set(to: DateTime): void {
    this.setBy(this.differenceTo(to));
  }

  /** Sets the clock by this many µs, until the next boot, or until a time server sets it. */
  setBy(microseconds: number): void {
    if (this.#zone.of !== 'host') {
      const offset = this.#zone.offset(this.utc);
      this.#zone = { of: 'hand', offset: () => offset };
    }
    this.#run = { kind: 'even', ahead: this.#ahead + microseconds };
  }

  /**
   * Sets the clock to the present time of the host, unless it shows that within `tolerance` ms. Returns the change in
   * ms, 0 for none.
   */
  followHost(tolerance: number): number {
    const run = this.#run;
    const at = this.#clock.monotonic();
    const ahead = run.kind === 'steered' ? utcOn(run.line, at) - at : this.#hostAhead + run.ahead / 1000;
    const change = this.#readHostAhead() - ahead;
    if (Math.abs(change) < tolerance && run.kind === 'even' && this.#zone.of === 'host') return 0;
    this.reset();
    return change;
  }

  /** Jumps by this many ms, but not to a time before 1970. */
  step(milliseconds: number): void {
    const by = Math.max(milliseconds, -Math.min(this.utc, this.local));
    const run = this.#run;
    this.#run =
      run.kind === 'steered'
        ? { kind: 'steered', line: { ...run.line, utc: run.line.utc + by } }
        : { kind: 'even', ahead: run.ahead + Math.round(by * 1000) };
  }

  /** Remembers how the clock runs: by how much it is ahead, and its zone. Time itself goes on. */
  remember(): () => void {
    const [hostAhead, run, zone] = [this.#hostAhead, this.#run, this.#zone];
    return () => {
      this.#hostAhead = hostAhead;
      this.#run = run;
      this.#zone = zone;
    };
  }

  /** Called at a boot: the clock returns to the present time of the host. */
  reset(): void {
    this.#hostAhead = this.#readHostAhead();
    this.#run = { kind: 'even', ahead: 0 };
    this.#zone = { of: 'host' };
  }

  /** The present lead of the host's UTC over the monotonic clock, in ms. A read takes time, and may be interrupted. */
  #readHostAhead(): number {
    const exact = this.#clock.utcAhead?.();
    if (exact !== undefined) return exact;
    let shortest = Number.POSITIVE_INFINITY;
    let ahead = this.#hostAhead;
    for (let reads = 0; reads < mostReads && shortest > 0; reads++) {
      const before = this.#clock.monotonic();
      const utc = this.#clock.utc();
      const duration = this.#clock.monotonic() - before;
      if (duration >= shortest) continue;
      shortest = duration;
      ahead = utc - before - duration / 2;
    }
    return ahead;
  }

  /** Whole µs ahead of the host in any run of the clock. */
  get #ahead(): number {
    return this.#run.kind === 'even' ? this.#run.ahead : Math.round((this.utc - this.#hostUtc) * 1000);
  }

  /** Date and time in the format of LastParaDate and LastParaTime: `DD.MM.YYYY` and `HH:MM`. */
  stamp(): { date: string; time: string } {
    const { uiYear, usiMonth, usiDay, usiHour, usiMinute } = this.now();
    return {
      date: `${two(usiDay)}.${two(usiMonth)}.${String(uiYear).padStart(4, '0')}`,
      time: `${two(usiHour)}:${two(usiMinute)}`,
    };
  }
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function utcOn({ at, utc, rate }: ClockLine, now: number): number {
  return utc + (now - at) * (1 + rate);
}
