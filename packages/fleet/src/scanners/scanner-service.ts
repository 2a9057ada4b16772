import type { KeyObject } from 'node:crypto';
import {
  type Clock,
  type Device,
  type Log,
  type Passwords,
  SystemClock,
  SystemRandom,
} from '@azimuth/device';
import { ControlRefused, type Controls } from '@azimuth/device/control';
import type { Tally, Where } from '@azimuth/device/reports';
import type { AllowedNames, SharedLimits } from '@azimuth/http';
import { type KeptService, ScannerService, type ServiceOptions } from '@azimuth/server';
import { virtualControls } from '@azimuth/simulation/control';
import { FaultTimeline } from '@azimuth/simulation/faults';
import { VirtualHardware } from '@azimuth/simulation/virtual-hardware';
import { type Scene, SceneCore, World } from '@azimuth/simulation/world';
import type { FleetEvents } from '../events/fleet-events.js';
import type { IdlePorts } from './idle-ports.js';
import type { ScannerFacts } from './scanner-facts.js';
import type { ScannerStore } from './scanner-store.js';
import type { StartQueue } from './start-queue.js';

/** Shared by all scanners of a fleet. */
export interface Shared {
  readonly store: ScannerStore;
  readonly log: Log;
  /** The folder of the GUI; undefined for none. */
  readonly gui?: string;
  /** Connections of one scanner at the same time. */
  readonly maxConnections: number;
  /** Time of a reboot in ms. */
  readonly bootMilliseconds: number;
  /** The public key of signed firmware. Without it, they accept no firmware. */
  readonly firmwareKey?: KeyObject | undefined;
  /** Host names by which clients may call them, in addition to their addresses, and origins of pages that may use them. */
  readonly allowed?: AllowedNames | undefined;
  /** Passwords of scanners that start for the first time; by default, the factory passwords. */
  readonly passwords: Passwords;
  readonly starts: StartQueue;
  readonly events: FleetEvents;
  readonly limits: SharedLimits;
  /** Counts the unexpected errors of all scanners. */
  readonly errors: Tally<Where>;
  /** True if this process may run a scanner now; otherwise another one may. By default, it may. */
  readonly owns?: (serial: string) => boolean;
}

/** The parameters of one start, in addition to the shared ones. */
interface Start {
  readonly macAddress: readonly number[];
  /** Time of the power-on: ms of the clock of this process. */
  readonly poweredOnAt: number;
  /** Its own ports that are open already. */
  readonly idlePorts?: IdlePorts | undefined;
  readonly log: Log;
  /** What the scanner held in memory when it was put away; undefined if it has not run since its power-on. */
  readonly kept?: KeptService | undefined;
  /** True while the running scanner is being ended. */
  isEnding(): boolean;
  /** Called when it goes down for a reboot. */
  down(): void;
  up(): void;
}

/** The parts of the simulation of a scanner. */
interface Simulation {
  readonly clock: SystemClock;
  readonly hardware: VirtualHardware;
  readonly faults: FaultTimeline;
}

/** Starts the service of a scanner, each time that it is needed. */
export class ServiceStarts {
  readonly #shared: Shared;
  readonly #facts: ScannerFacts;
  /** Outlives the service, which may rest or have no power. */
  #world: World | undefined;
  /** Time at which its own world began: ms of the clock of this process. */
  #began: number | undefined;
  /** The given passwords count only at the first start in this process. */
  #passwords: Passwords;

  constructor(shared: Shared, facts: ScannerFacts) {
    this.#shared = shared;
    this.#facts = facts;
    this.#passwords = shared.passwords;
  }

  /**
   * Starts the service. Clients see a scanner that has run since its power-on.
   * @throws StorageUnavailable, or the error that prevents the start
   */
  async start(start: Start): Promise<{ readonly service: ScannerService; readonly faults: FaultTimeline }> {
    const facts = this.#facts;
    const { poweredOnAt, idlePorts, log, isEnding, down, up } = start;
    const { owns = () => true, bootMilliseconds } = this.#shared;
    // If a process was paused for longer than its lease, it has much to do at once. It must not send before it notices this.
    // This also holds while the scanner is being ended by its clock.
    const mayAct = () => owns(facts.serial);
    const clock = new SystemClock(undefined, poweredOnAt, () => isEnding() || mayAct(), mayAct);
    const hardware = new VirtualHardware(log, { bootMilliseconds, synchronised: facts.synchronised });
    const faults = new FaultTimeline({ clock, hardware, seed: facts.seed });
    const service = await ScannerService.start(this.#options(start, { clock, hardware, faults }));
    this.#passwords = {};
    idlePorts?.close();
    const { device } = service;
    device.lifecycle.onDown(down);
    device.lifecycle.onUp(up);
    // The scanner was on since its power-on: this time passes now.
    if (facts.faults !== undefined) faults.add(facts.faults);
    device.lifecycle.skipTime(() => {
      clock.advance(Math.max(0, performance.now() - clock.monotonic()));
      clock.joinHost();
    });
    if (start.kept !== undefined) service.takeUp(structuredClone(start.kept));
    return { service, faults };
  }

  /** Drops the world of a scanner whose simulation nobody has used: the next start makes the same again. */
  forgetWorld(): void {
    this.#world = undefined;
  }

  #options(
    { macAddress, idlePorts, poweredOnAt }: Start,
    { clock, hardware, faults }: Simulation,
  ): ServiceOptions {
    const { store, gui, maxConnections, limits, errors, firmwareKey, allowed } = this.#shared;
    const { serial, release, variant, scene, mount, seed, parameters, asDevice } = this.#facts;
    const ports = idlePorts?.ports;
    const storage = store.storageOf(serial);
    const controls = virtualControls(clock, hardware, faults);
    return {
      clock,
      hardware: hardware,
      device: {
        identity: { serialNumber: serial, macAddress },
        random: new SystemRandom(),
        storage: faults.storage(storage),
        variant,
        passwords: this.#passwords,
        initialParameters: parameters,
        errorsTogether: errors,
        // The world is made here, so that a scene that cannot be used costs a scanner its data only.
        core: async () => {
          this.#began ??= poweredOnAt;
          this.#world ??= mount?.world ?? worldSince(scene, clock, this.#began);
          return new SceneCore({ world: this.#world, scanner: mount?.scanner, seed, dirt: hardware });
        },
        // The start counts one power-on itself. If the scanner starts again since its power-on, there is none to count.
        missedPowerOns: store.powerOns(serial) - 1,
        release,
        keepsNewerRelease: release !== undefined,
        firmwareKey,
      },
      asDevice,
      network: { address: ports?.host ?? '127.0.0.1' },
      web: {
        port: ports?.http ?? 0,
        httpsPort: ports?.https ?? 0,
        maxConnections,
        shared: limits,
        gui,
        allowed,
      },
      legacy: ports === undefined ? undefined : { portA: ports.legacyA, portB: ports.legacyB },
      ...(idlePorts === undefined ? { listens: false } : { openPorts: idlePorts }),
      control: { controls: mount === undefined ? controls : withoutTimeTravel(controls) },
      faults,
    };
  }
}

/** Returns a world that began at this time (ms of the clock). */
function worldSince(scene: Scene, clock: Clock, begin: number): World {
  const world = new World({ scene });
  world.begin(clock, begin);
  return world;
}

/** Returns commands without time travel, which would move only one scanner of a world. */
function withoutTimeTravel(controlsOf: (device: Device) => Controls): (device: Device) => Controls {
  return (device) => {
    const { commands, queries } = controlsOf(device);
    const act = () => {
      throw new ControlRefused(
        'the scanners of a world in a fleet have the time of this computer; for time travel, use azimuth serve --world',
      );
    };
    return { queries, commands: { ...commands, 'clock/advance': { act } } };
  };
}
