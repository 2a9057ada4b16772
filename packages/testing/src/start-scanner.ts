import {
  type Device,
  FolderStorage,
  type Log,
  type MeasuringCore,
  MemoryStorage,
  type MovableClock,
  type Storage,
  SystemClock,
  SystemRandom,
  VirtualClock,
} from '@azimuth/device';
import { PacedClock } from '@azimuth/device/paced-clock';
import { newestRelease } from '@azimuth/model';
import { ScannerService, type ServiceOptions } from '@azimuth/server';
import { controlledVehicle, ScannerJournal, virtualControls } from '@azimuth/simulation/control';
import { FaultTimeline } from '@azimuth/simulation/faults';
import { usualScene } from '@azimuth/simulation/usual-core';
import { VirtualHardware } from '@azimuth/simulation/virtual-hardware';
import { loadScene, parseScene, type Scene, SceneCore, type SceneFile } from '@azimuth/simulation/world';
import { checkStored, fixtureOf, initialOf, setWorking } from './fixtures.js';
import type { TimersOption } from './product-timers.js';
import { checkOptions, firmwareKeyOf, type StartOptions } from './start-options.js';
import { TestScanner } from './test-scanner.js';
import { VirtualTime } from './virtual-time.js';

const usualSerial = '123456789';
/** Maximum number of simultaneous connections, including WebSockets. */
const maxConnections = 1024;

const errorsOnly: Log = { info() {}, warn() {}, error: console.error };

/**
 * Starts a virtual scanner in this process, at free ports of this machine. It is ready when the promise is fulfilled.
 * Close it with `close()`, or declare it with `await using`.
 * @throws RangeError for an option that does not exist or is not allowed, SceneError for a scene that cannot be used,
 *   FaultPlanError for faults that are not valid
 */
export async function startScanner(options: StartOptions = {}): Promise<TestScanner> {
  checkOptions('startScanner', options);
  const clock = clockOf(options);
  const { core } = options;
  const coreOf = core === undefined ? await sceneCores(options, clock) : () => core;
  return launch(options, { clock, time: virtualTimeOf(clock, options.timers), together: new Set(), coreOf });
}

async function sceneCores(
  { scene = usualScene }: StartOptions,
  clock: MovableClock,
): Promise<LaunchParts['coreOf']> {
  const content = await sceneOf(scene);
  return (dirt, seed) => new SceneCore({ scene: content, seed, dirt, clock });
}

/** What a scanner shares with others, and its core. */
interface LaunchParts {
  readonly clock: MovableClock;
  /** Virtual time; undefined for another clock. */
  readonly time: VirtualTime | undefined;
  /** The scanners that share the clock: this one is added. */
  readonly together: Set<Device>;
  readonly coreOf: (dirt: VirtualHardware, seed: number) => MeasuringCore;
}

/** Starts a scanner with checked options. */
export async function launch(
  options: StartOptions,
  { clock, time, together, coreOf }: LaunchParts,
): Promise<TestScanner> {
  const { release = newestRelease, variant = 'full' } = options;
  const stored = fixtureOf('stored', options.stored ?? {}, { release, variant });
  const working = fixtureOf('parameters', options.parameters ?? {}, { release, variant });
  const { log = errorsOnly, serial = usualSerial, bootTime = 2 } = options;
  const { synchronised } = options;
  const hardware = new VirtualHardware(log, { bootMilliseconds: bootTime * 1000, synchronised });
  const core = coreOf(hardware, options.seed ?? 1);
  const faults = new FaultTimeline({ clock, hardware: hardware, seed: options.seed });
  if (options.faults !== undefined) faults.add(options.faults);
  // Runs after all checks of the options: from here on, the folder is locked.
  const storage = await storageOf(options, log);
  const journal = new ScannerJournal(clock);
  const parts = {
    clock,
    core,
    hardware,
    storage: faults.storage(storage),
    serial,
    faults,
    journal,
    together,
    stored: initialOf(stored),
  };
  const service = await ScannerService.start(serviceOptions(options, parts));
  try {
    checkStored(service.device, stored);
    await setWorking(service.device, working);
  } catch (error) {
    await service.close();
    throw error;
  }
  together.add(service.device);
  // Creates a core of a program in time, so that nothing is measured late.
  await service.device.features.measuring.coreMade();
  const remembered = { service, core, hardware, storage, faults };
  return new TestScanner({ ...remembered, clock, options, journal, time, together });
}

interface Parts {
  readonly clock: MovableClock;
  readonly core: MeasuringCore;
  readonly hardware: VirtualHardware;
  readonly storage: Storage;
  readonly serial: string;
  readonly faults: FaultTimeline;
  readonly journal: ScannerJournal;
  /** Its first stored parameters that differ from the factory. */
  readonly stored: Readonly<Record<string, unknown>>;
  readonly together: ReadonlySet<Device>;
}

function serviceOptions(
  options: StartOptions,
  { clock, core, hardware, storage, serial, faults, journal, stored, together }: Parts,
): ServiceOptions {
  const { release, variant = 'full', passwords, plug, firmwareKey } = options;
  const { legacy = true, search = false, shortKeys = false } = options;
  const { velocityPort = false, rosOdometry = false } = options;
  return {
    clock,
    hardware: hardware,
    device: {
      identity: { serialNumber: serial },
      random: new SystemRandom(),
      storage,
      variant,
      acceptsShortKeys: shortKeys,
      core,
      plug,
      release,
      passwords,
      initialParameters: stored,
      firmwareKey: firmwareKey === undefined ? undefined : firmwareKeyOf(firmwareKey),
    },
    asDevice: options.asDevice,
    network: { address: options.host ?? '127.0.0.1' },
    web: {
      port: 0,
      httpsPort: 0,
      maxConnections: maxConnections,
      metricsFreshFor: 0,
      // Compression runs in other threads, at both ends, so nobody could tell when an event has arrived.
      compressEvents: !(clock instanceof VirtualClock),
    },
    legacy: legacy ? { portA: 0, portB: 0 } : undefined,
    searchPort: search ? 0 : undefined,
    control:
      options.controlPort === true
        ? { port: 0, controls: virtualControls(clock, hardware, faults, journal, together) }
        : undefined,
    vehicle:
      velocityPort || rosOdometry
        ? { of: controlledVehicle, velocityPort: velocityPort ? 0 : undefined, rosOdometry }
        : undefined,
    faults,
    journal,
  };
}

/** Returns the clock of the options. */
export function clockOf({ clock = 'virtual' }: Pick<StartOptions, 'clock'>): MovableClock {
  if (clock === 'virtual') return new VirtualClock();
  if (clock === 'real') return new SystemClock();
  return new PacedClock({ factor: clock.factor });
}

/** Returns the virtual time of a clock, and of the program that is tested; undefined for another clock. */
export function virtualTimeOf(clock: MovableClock, timers?: TimersOption): VirtualTime | undefined {
  return clock instanceof VirtualClock ? new VirtualTime(clock, timers) : undefined;
}

/** Returns a scene: a ready one, one from a file, or one of this content. @throws SceneError */
export async function sceneOf(scene: string | SceneFile | Scene): Promise<Scene> {
  return typeof scene === 'string' ? loadScene(scene) : parseScene(scene, 'scene');
}

async function storageOf({ folder }: StartOptions, log: Log): Promise<Storage> {
  return folder === undefined ? new MemoryStorage() : FolderStorage.open(folder, log);
}
