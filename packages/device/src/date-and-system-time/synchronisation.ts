import {
  type DateTime,
  dateAndSystemTime,
  extensions,
  ianaZones,
  TimeRole,
  type TimeState,
  zoneOffset,
} from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import type { DeviceTime } from '../clock/device-time.js';
import { Timeout } from '../clock/timeout.js';
import { computed, type Feature, method } from '../feature.js';
import { ContainedCall } from '../hardware/contained-call.js';
import type { ContainedHardware } from '../hardware/contained-hardware.js';
import { ContainedPtp } from '../hardware/contained-ptp.js';
import type { Identity } from '../identity/identity.js';
import type { Clock, Log, Random } from '../interfaces/environment.js';
import type { ClockDiscipline } from '../interfaces/hardware/index.js';
import type { PtpNetwork, TimeServers } from '../interfaces/time-sources.js';
import type { Conditions } from '../lifecycle/conditions.js';
import type { UnexpectedErrors } from '../lifecycle/unexpected-errors.js';
import type { Parameters } from '../parameters/parameters.js';
import type { PtpSlave } from './ptp/ptp-slave.js';
import { TimeClient, type TimeSettings } from './time-client.js';

const { LSPdatetime, LSPsetdatetime, TSCRole, TSCTCSrvAddr, TSCTCtimezone, TSCTCupdatetime } =
  dateAndSystemTime.members;
const settings = [TSCRole, TSCTCSrvAddr, TSCTCtimezone, TSCTCupdatetime];
const { time } = extensions.members;

/** ms between two looks at the clock of the system. */
const watchInterval = 1000;

/** Smallest correction (ms) of the clock of the system that telegrams follow. */
const leastCorrection = 0.1;

interface Options {
  readonly clock: Clock;
  readonly time: DeviceTime;
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly log: Log;
  readonly identity: Identity;
  readonly random: Random;
  readonly errors: UnexpectedErrors;
  readonly servers: TimeServers | undefined;
  readonly conditions: Conditions;
  readonly hardware: Pick<ContainedHardware, 'parts' | 'discipline'>;
  /** Called when a server or master has set or slewed the clock, and when the clock is no longer synchronised. */
  readonly synchronised: (change: 'set' | 'slewed' | 'lost') => void;
}

/**
 * The device clock as a feature: synchronised by a time server or a PTP master, or set by hand. It is announced each
 * second while it is followed.
 */
export class Synchronisation implements Feature {
  readonly computed = [
    computed(LSPdatetime, () => this.#options.time.now()),
    computed(time, () => this.state),
  ];
  readonly methods = [
    method(LSPsetdatetime, ({ DateTime }) => {
      // A synchronised clock cannot be set by hand.
      if (this.state.Synchronised) return { ErrorCode: 1 };
      return this.#setByHand(DateTime);
    }),
  ];
  /** The device clock. */
  readonly time: DeviceTime;
  readonly #options: Options;
  readonly #setSystem: ContainedCall<number>;
  /** The next look at the clock of the system, which may be set while the scanner shows it. */
  readonly #systemWatch: Timeout;
  /** What disciplines the clock of the system. */
  #system: ClockDiscipline | undefined;
  #ptp: PtpNetwork | undefined;
  #client: TimeClient | undefined;
  /** The slave, or a promise of it, while TSCRole is TX_PTP_SLAVE. */
  #slave: PtpSlave | 'loading' | undefined;
  #ticks: SecondTicks | undefined;
  /** Comes up at each boot, and goes down before the next one. It never comes up again after the end. */
  #phase: 'down' | 'up' | 'ended' = 'down';
  #paused = false;

  constructor(options: Options) {
    const { announcements } = options;
    this.time = options.time;
    this.#options = options;
    const { ptp, clock } = options.hardware.parts;
    this.#ptp = ptp === undefined ? undefined : new ContainedPtp(ptp, options);
    this.#systemWatch = new Timeout(options.clock);
    this.#setSystem = new ContainedCall(options, 'clock.set', (utc) => clock?.set?.(utc));
    announcements.subscribeTo(settings, () => this.#follow());
    announcements.whileFollowed(LSPdatetime, () => this.#startTicks());
  }

  get state(): TimeState {
    const state = this.#ownState;
    if (this.#system === undefined || state.Synchronised) return state;
    return { ...state, Synchronised: true, System: this.#system.by };
  }

  /** The state without the clock of the system. */
  get #ownState(): TimeState {
    const { role, server } = this.#settings;
    const state = this.#client?.state ?? { ...time.type.initial, Role: role, Server: server };
    if (role !== TimeRole.TX_PTP_SLAVE || !this.#isUp) return state;
    if (this.#ptp === undefined) return { ...state, Fault: 'this program gives the scanner no PTP' };
    return this.#slave instanceof Object ? { ...state, ...this.#slave.state } : state;
  }

  /** Called at a boot: the clock has the time of the host, and no server is known. */
  boot(): void {
    if (this.#phase === 'ended') return;
    this.#options.time.reset();
    this.#phase = 'up';
    this.#system = undefined;
    if (!this.#paused) this.#ticks?.run();
    this.#follow();
    this.disciplineChanged();
  }

  /** Called when the scanner goes down. */
  down(): void {
    if (this.#phase === 'up') this.#phase = 'down';
    this.#client?.end();
    this.#client = undefined;
    this.#endSlave();
    this.#ticks?.stop();
    this.#systemWatch.stop();
  }

  end(): void {
    this.#phase = 'ended';
  }

  /** Remembers whether the clock follows anything. A client of time servers goes on. */
  remember(): () => void {
    const putBackTime = this.#options.time.remember();
    const hadClient = this.#client !== undefined;
    const isSynchronised = this.state.Synchronised;
    return () => {
      if (!hadClient) {
        this.#client?.end();
        this.#client = undefined;
      }
      this.#follow();
      putBackTime();
      this.#moved();
      this.#options.synchronised(isSynchronised ? 'set' : 'lost');
    };
  }

  /** Called when something else may discipline the clock of the system. */
  disciplineChanged(): void {
    if (!this.#isUp) return;
    const before = this.#system;
    this.#system = this.#options.hardware.discipline();
    this.#watchSystem();
    if (this.#ownState.Synchronised) return;
    if (this.#system !== undefined) this.#followSystem(before);
    else if (before !== undefined) {
      this.#options.log.warn('The clock is no longer synchronised', {
        reason: `the system has no ${before.by} time`,
      });
      this.#options.synchronised('lost');
    }
    if (this.#system?.by !== before?.by) this.#options.announcements.changed([time]);
  }

  /** Connects the network of the PTP masters. Does nothing if the device has another network already. */
  connectPtp(network: PtpNetwork): void {
    this.#ptp ??= network;
    this.#follow();
  }

  /**
   * Makes the device clock jump, for tests.
   * @param milliseconds negative: back in time
   */
  step(milliseconds: number): void {
    this.#options.time.step(milliseconds);
    this.#moved();
    if (this.state.Synchronised) this.#options.synchronised('set');
  }

  /** Stops announcements and requests until `resume`, because time is about to be skipped. */
  pause(): void {
    this.#paused = true;
    this.#client?.pause();
    if (this.#slave instanceof Object) this.#slave.pause();
    this.#ticks?.stop();
    this.#systemWatch.stop();
  }

  resume(): void {
    this.#paused = false;
    this.#client?.resume();
    if (this.#slave instanceof Object) this.#slave.resume();
    if (this.#isUp) this.#ticks?.run();
    this.#watchSystem();
  }

  #watchSystem(): void {
    if (this.#system === undefined || !this.#isUp || this.#paused) this.#systemWatch.stop();
    else this.#systemWatch.set(watchInterval, () => this.disciplineChanged());
  }

  /** Shows the time of the system, which may have been set since. */
  #followSystem(before: ClockDiscipline | undefined): void {
    const system = this.#system;
    if (system === undefined) return;
    const correction = this.#options.time.followHost(leastCorrection);
    const isNew = before === undefined;
    if (!isNew && correction === 0) return;
    this.#options.log.info('The clock follows that of the system', { by: system.by, correction });
    this.#options.synchronised('set');
    this.#moved();
  }

  /** Passes on what a source of the scanner has done. Without it, the clock of the system may still be right. */
  #sourceChanged(change: 'set' | 'slewed' | 'lost'): void {
    if (change === 'lost' && this.#isUp && this.#system !== undefined) this.#followSystem(undefined);
    else this.#options.synchronised(change);
  }

  #setByHand(to: DateTime): { ErrorCode: 0 | 1 } | Promise<{ ErrorCode: 0 | 1 }> {
    const { time: deviceTime, hardware } = this.#options;
    const by = deviceTime.differenceTo(to);
    const set = () => {
      deviceTime.setBy(by);
      this.#moved();
    };
    if (hardware.parts.clock?.set === undefined) {
      set();
      return { ErrorCode: 0 };
    }
    return this.#setSystem.outcome(deviceTime.utc + by / 1000).then((outcome) => {
      if (outcome !== 'done') return { ErrorCode: 1 };
      set();
      return { ErrorCode: 0 };
    });
  }

  get #isUp(): boolean {
    return this.#phase === 'up';
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
    const { role } = this.#settings;
    const isSlave = this.#isUp && role === TimeRole.TX_PTP_SLAVE;
    if (!isSlave) this.#endSlave();
    if (this.#client !== undefined) this.#client.follow(this.#settings);
    else if (this.#isUp && role !== TimeRole.TX_NONE) this.#startClient();
    if (isSlave && this.#slave === undefined) this.#options.errors.contain('ptp', () => this.#startSlave());
  }

  /** Loads the code of a slave only when it is needed. */
  async #startSlave(): Promise<void> {
    const network = this.#ptp;
    const { clock, time: deviceTime, log, random, identity } = this.#options;
    const synchronised = (change: 'set' | 'slewed' | 'lost') => this.#sourceChanged(change);
    if (network === undefined) return;
    this.#slave = 'loading';
    const { PtpSlave, portIdentityOf } = await import('./ptp/index.js');
    if (this.#slave !== 'loading') return;
    this.#slave = new PtpSlave({
      ...{ clock, time: deviceTime, log, random, network, synchronised },
      self: portIdentityOf(identity.macAddress),
      zone: () => zoneOffset(ianaZones[this.#settings.zone]),
      changed: (moved) => this.#changed(moved),
    });
    if (this.#paused) this.#slave.pause();
  }

  #endSlave(): void {
    if (this.#slave instanceof Object) this.#slave.end();
    this.#slave = undefined;
  }

  #startClient(): void {
    const { clock, time: deviceTime, log, servers } = this.#options;
    const synchronised = (change: 'set' | 'lost') => this.#sourceChanged(change);
    const changed = (moved: boolean) => this.#changed(moved);
    this.#client = new TimeClient(
      { clock, time: deviceTime, log, servers, changed, synchronised },
      this.#settings,
    );
    if (this.#paused) this.#client.pause();
    this.#client.start();
  }

  #changed(moved: boolean): void {
    if (moved) this.#moved();
    this.#options.announcements.changed([time]);
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
  readonly #time: DeviceTime;
  readonly #ticked: () => void;
  /** The second of the last call. */
  #last: number;
  readonly #next: Timeout;

  constructor(clock: Clock, time: DeviceTime, ticked: () => void) {
    this.#next = new Timeout(clock);
    this.#time = time;
    this.#ticked = ticked;
    this.#last = time.second;
  }

  /** Starts. Calls back at once if a new second has begun since the stop. */
  run(): void {
    this.stop();
    this.#schedule();
    this.#check();
  }

  stop(): void {
    this.#next.stop();
  }

  /** Called when the clock was changed and the listener knows it: the next second begins at another time. */
  moved(): void {
    if (!this.#next.isSet) return;
    this.#last = this.#second;
    this.stop();
    this.#schedule();
  }

  get #second(): number {
    return this.#time.second;
  }

  #schedule(): void {
    const { local } = this.#time;
    this.#next.set((Math.floor(local / 1000) + 1) * 1000 - local, () => {
      this.#schedule();
      this.#check();
    });
  }

  /** Timers and the clock round differently. If the second has not quite begun, the next timer reports it. */
  #check(): void {
    const second = this.#second;
    if (second === this.#last) return;
    this.#last = second;
    this.#ticked();
  }
}
