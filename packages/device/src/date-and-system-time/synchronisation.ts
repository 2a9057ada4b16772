import { dateAndSystemTime, extensions, TimeRole, type TimeState } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { computed, type Feature, method } from '../feature.js';
import type { Clock } from '../interfaces/clock.js';
import type { Log } from '../interfaces/log.js';
import type { TimeServers } from '../interfaces/time-server.js';
import { Later } from '../later.js';
import type { Parameters } from '../parameters/parameters.js';
import type { DeviceTime } from './device-time.js';
import type { SecondTicks } from './second-ticks.js';
import type { TimeClient, TimeSettings } from './time-client.js';

const { LSPdatetime, LSPsetdatetime, TSCRole, TSCTCSrvAddr, TSCTCtimezone, TSCTCupdatetime } =
  dateAndSystemTime.members;
const settings = [TSCRole, TSCTCSrvAddr, TSCTCtimezone, TSCTCupdatetime];
const { time } = extensions.members;

/** Loaded when they are needed: a scanner starts without. */
const timeClient = new Later(async () => (await import('./time-client.js')).TimeClient);
const secondTicks = new Later(async () => (await import('./second-ticks.js')).SecondTicks);

interface Facts {
  readonly clock: Clock;
  readonly time: DeviceTime;
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly log: Log;
  readonly servers: TimeServers | undefined;
  /** Told whenever a time server has set the clock, and when it is not synchronised any more. */
  readonly synchronised: (isSynchronised: boolean) => void;
}

/** What moves the device clock: a time server, a person, and, for who follows it, each second. */
export class Synchronisation implements Feature {
  readonly heeds = settings;
  readonly computed = [computed(LSPdatetime, () => this.#facts.time.now()), computed(time, () => this.state)];
  readonly methods = [
    method(LSPsetdatetime, ({ DateTime }) => {
      // A time server knows better.
      if (this.state.Synchronised) return { ErrorCode: 1 };
      this.#facts.time.set(DateTime);
      this.#moved();
      return { ErrorCode: 0 };
    }),
  ];
  readonly #facts: Facts;
  #client: TimeClient | undefined;
  #ticks: SecondTicks | undefined;
  /** The second that was told last to who waits for `#ticks` to be loaded. */
  #told = 0;
  #isUp = false;
  #paused = false;
  #ended = false;

  constructor(facts: Facts) {
    const { announcements } = facts;
    this.#facts = facts;
    announcements.subscribeTo(settings, () => this.#follow());
    announcements.whileFollowed(LSPdatetime, () => this.#tick());
  }

  get state(): TimeState {
    const { role, server } = this.#settings;
    return this.#client?.state ?? { ...time.type.initial, Role: role, Server: server };
  }

  /** Comes up: at the time of the host, with nothing known of a server. */
  boot(): void {
    if (this.#ended) return;
    this.#facts.time.reset();
    this.#isUp = true;
    if (!this.#paused) this.#ticks?.run();
    this.#follow();
  }

  /** Goes down for a reboot. */
  down(): void {
    this.#isUp = false;
    this.#client?.end();
    this.#client = undefined;
    this.#ticks?.stop();
  }

  end(): void {
    this.#ended = true;
  }

  /** Time is about to be skipped: it is told, and asked, when that is over. */
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
    const { parameters } = this.#facts;
    return {
      role: parameters.read(TSCRole),
      server: parameters.read(TSCTCSrvAddr),
      zone: parameters.read(TSCTCtimezone),
      updateTime: parameters.read(TSCTCupdatetime),
    };
  }

  #follow(): void {
    if (this.#client !== undefined) this.#client.follow(this.#settings);
    else if (this.#settings.role !== TimeRole.TX_NONE) {
      this.#begin().catch((error: unknown) => {
        this.#facts.log.error('The time server cannot be asked', { reason: String(error) });
      });
    }
  }

  async #begin(): Promise<void> {
    const { clock, time: deviceTime, log, servers, announcements, synchronised } = this.#facts;
    const Client = await timeClient.untilLoaded((error) =>
      log.error('The time server is asked later', { reason: error.message }),
    );
    if (!this.#isUp || this.#client !== undefined) return;
    const changed = (moved: boolean) => {
      if (moved) this.#moved();
      announcements.changed([time]);
    };
    this.#client = new Client(
      { clock, time: deviceTime, log, servers, changed, synchronised },
      this.#settings,
    );
    if (this.#paused) this.#client.pause();
    this.#client.start();
  }

  #moved(): void {
    this.#told = this.#facts.time.second;
    this.#facts.announcements.changed([LSPdatetime]);
    this.#ticks?.moved();
  }

  #tick(): () => void {
    let wanted = true;
    // Who follows has read it, or does so now.
    this.#told = this.#facts.time.second;
    const { clock, time: deviceTime, announcements, log } = this.#facts;
    const ticks = secondTicks.untilLoaded((error) =>
      log.error('Seconds of the clock are told later', { reason: error.message }),
    );
    void ticks.then((Ticks) => {
      if (!wanted) return;
      this.#ticks = new Ticks(clock, deviceTime, () => announcements.changed([LSPdatetime]), this.#told);
      if (this.#isUp && !this.#paused) this.#ticks.run();
    });
    return () => {
      wanted = false;
      this.#ticks?.stop();
      this.#ticks = undefined;
    };
  }
}
