import { dateAndSystemTime, extensions, TimeRole, type TimeState } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import type { DeviceTime } from '../clock/device-time.js';
import { computed, type Feature, method } from '../feature.js';
import type { Clock } from '../interfaces/clock.js';
import type { Log } from '../interfaces/log.js';
import type { TimeServers } from '../interfaces/time-server.js';
import type { Parameters } from '../parameters/parameters.js';
import { TimeClient, type TimeSettings } from './time-client.js';

const { LSPdatetime, LSPsetdatetime, TSCRole, TSCTCSrvAddr, TSCTCtimezone, TSCTCupdatetime } =
  dateAndSystemTime.members;
const settings = [TSCRole, TSCTCSrvAddr, TSCTCtimezone, TSCTCupdatetime];
const { time } = extensions.members;

interface Options {
  readonly clock: Clock;
  readonly time: DeviceTime;
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly log: Log;
  readonly servers: TimeServers | undefined;
  /** Called when a time server has set the clock, and when it is not synchronised any more. */
  readonly synchronised: (isSynchronised: boolean) => void;
}

/** The device clock as a feature: synchronised by a time server, set by hand, and announced each second while followed. */
export class Synchronisation implements Feature {
  readonly computed = [
    computed(LSPdatetime, () => this.#options.time.now()),
    computed(time, () => this.state),
  ];
  readonly methods = [
    method(LSPsetdatetime, ({ DateTime }) => {
      // A synchronised clock cannot be set by hand.
      if (this.state.Synchronised) return { ErrorCode: 1 };
      this.#options.time.set(DateTime);
      this.#moved();
      return { ErrorCode: 0 };
    }),
  ];
  readonly #options: Options;
  #client: TimeClient | undefined;
  #ticks: SecondTicks | undefined;
  #isUp = false;
  #paused = false;
  #ended = false;

  constructor(options: Options) {
    const { announcements } = options;
    this.#options = options;
    announcements.subscribeTo(settings, () => this.#follow());
    announcements.whileFollowed(LSPdatetime, () => this.#startTicks());
  }

  get state(): TimeState {
    const { role, server } = this.#settings;
    return this.#client?.state ?? { ...time.type.initial, Role: role, Server: server };
  }

  /** A boot: the clock has the time of the host, and nothing is known of a server. */
  boot(): void {
    if (this.#ended) return;
    this.#options.time.reset();
    this.#isUp = true;
    if (!this.#paused) this.#ticks?.run();
    this.#follow();
  }

  /** The scanner goes down. */
  down(): void {
    this.#isUp = false;
    this.#client?.end();
    this.#client = undefined;
    this.#ticks?.stop();
  }

  end(): void {
    this.#ended = true;
  }

  /** Time is about to be skipped: announces nothing and asks no server until `resume`. */
  pause(): void {
    this.#paused = true;
    this.#client?.pause();
    this.#ticks?.stop();
  }

  resume(): void {
    this.#paused = false;
    this.#client?.resume();
    if (this.#isUp) this.#ticks?.run();
  }

  get #settings(): TimeSettings {
    const { parameters } = this.#options;
    return {
      role: parameters.read(TSCRole),
      server: parameters.read(TSCTCSrvAddr),
      zone: parameters.read(TSCTCtimezone),
      updateTime: parameters.read(TSCTCupdatetime),
    };
  }

  #follow(): void {
    if (this.#client !== undefined) this.#client.follow(this.#settings);
    else if (this.#isUp && this.#settings.role !== TimeRole.TX_NONE) this.#startClient();
  }

  #startClient(): void {
    const { clock, time: deviceTime, log, servers, announcements, synchronised } = this.#options;
    const changed = (moved: boolean) => {
      if (moved) this.#moved();
      announcements.changed([time]);
    };
    this.#client = new TimeClient(
      { clock, time: deviceTime, log, servers, changed, synchronised },
      this.#settings,
    );
    if (this.#paused) this.#client.pause();
    this.#client.start();
  }

  #moved(): void {
    this.#options.announcements.changed([LSPdatetime]);
    this.#ticks?.moved();
  }

  /** Announces each second of the clock. Returns a function that ends it. */
  #startTicks(): () => void {
    const { clock, time: deviceTime, announcements } = this.#options;
    this.#ticks = new SecondTicks(clock, deviceTime, () => announcements.changed([LSPdatetime]));
    if (this.#isUp && !this.#paused) this.#ticks.run();
    return () => {
      this.#ticks?.stop();
      this.#ticks = undefined;
    };
  }
}

/** Calls back at each new second of the device clock. Skipped seconds count as one. */
class SecondTicks {
  readonly #clock: Clock;
  readonly #time: DeviceTime;
  readonly #ticked: () => void;
  /** The second of the last call. */
  #last: number;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, time: DeviceTime, ticked: () => void) {
    this.#clock = clock;
    this.#time = time;
    this.#ticked = ticked;
    this.#last = time.second;
  }

  /** Starts. If a new second has begun since it was stopped, calls back at once. */
  run(): void {
    this.stop();
    this.#schedule();
    this.#check();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** The clock was changed, and the listener knows: the next second begins at another time. */
  moved(): void {
    if (this.#cancel === undefined) return;
    this.#last = this.#second;
    this.stop();
    this.#schedule();
  }

  get #second(): number {
    return this.#time.second;
  }

  #schedule(): void {
    const { local } = this.#time;
    this.#cancel = this.#clock.after((Math.floor(local / 1000) + 1) * 1000 - local, () => {
      this.#schedule();
      this.#check();
    });
  }

  /** Timers and the clock round differently: if the second has not quite begun, the next timer reports it. */
  #check(): void {
    const second = this.#second;
    if (second === this.#last) return;
    this.#last = second;
    this.#ticked();
  }
}
