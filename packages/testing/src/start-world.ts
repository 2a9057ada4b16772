import { join } from 'node:path';
import type { Device } from '@azimuth/device';
import { type PlacedScanner, SceneCore, SceneError, World } from '@azimuth/simulation/world';
import { nearestName } from '@azimuth/wording';

import { clockOf, launch, sceneOf, virtualTimeOf } from './start-scanner.js';
import type { TestScanner } from './test-scanner.js';
import { checkWorldOptions, type WorldOptions } from './world-options.js';

/** The serial number of the first scanner; the others count on. */
const firstSerial = 123_456_789;

/**
 * Starts all scanners of a world in this process, at free ports of this machine, whatever ports its file names. They
 * share one clock. They are ready when the promise is fulfilled. Close the world with `close()`, or declare it with
 * `await using`.
 * @throws as `startScanner`; also SceneError for a world without scanners
 */
export async function startWorld(options: WorldOptions): Promise<TestWorld> {
  checkWorldOptions(options);
  const { world: content, scanners: single = {}, clock: kind, timers, folder, ...shared } = options;
  const clock = clockOf({ clock: kind });
  const world = new World({ scene: await sceneOf(content), clock });
  checkScanners(world.scanners, Object.keys(single));
  const { vehicleScanner } = world;
  const time = virtualTimeOf(clock, timers);
  const together = new Set<Device>();
  const started = new Map<string, TestScanner>();
  try {
    for (const [index, { name, serial = String(firstSerial + index) }] of world.scanners.entries()) {
      const own = single[name] ?? {};
      const scannerOptions = {
        ...shared,
        ...own,
        serial: own.serial ?? serial,
        folder: own.folder ?? (folder === undefined ? undefined : join(folder, name)),
        velocityPort: own.velocityPort ?? (name === vehicleScanner && shared.velocityPort),
        rosOdometry: own.rosOdometry ?? (name === vehicleScanner && shared.rosOdometry),
        seed: own.seed ?? ((shared.seed ?? 1) + index) % 2 ** 32,
      };
      const coreOf: Parameters<typeof launch>[1]['coreOf'] = (dirt, seed) =>
        new SceneCore({ world, scanner: name, seed, dirt });
      const scanner = await launch(scannerOptions, { clock, time, together, coreOf });
      started.set(name, scanner);
    }
  } catch (error) {
    await closeAll(started);
    throw error;
  }
  return new TestWorld(world, started);
}

/** @throws SceneError, RangeError */
function checkScanners(scanners: readonly PlacedScanner[], named: readonly string[]): void {
  if (scanners.length === 0)
    throw new SceneError('the world has no scanners: expected "scanners", or "vehicles" with "scanners"');
  const names = scanners.map(({ name }) => name);
  const unknown = named.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new RangeError(noScanner(unknown, names));
}

function noScanner(name: string, names: readonly string[]): string {
  const near = nearestName(name, names);
  const question = near === undefined ? `; it has ${names.join(', ')}` : `; did you mean ${near}?`;
  return `the world has no scanner ${name}${question}`;
}

async function closeAll(scanners: ReadonlyMap<string, TestScanner>): Promise<void> {
  await Promise.all([...scanners.values()].map((scanner) => scanner.close()));
}

/** Virtual scanners of one world in the process of a test. */
export class TestWorld {
  /** The world: its scene, and its time `now` in s. */
  readonly world: World;
  /** The scanners by name. */
  readonly scanners: Readonly<Record<string, TestScanner>>;
  readonly #scanners: ReadonlyMap<string, TestScanner>;

  constructor(world: World, scanners: ReadonlyMap<string, TestScanner>) {
    this.world = world;
    this.scanners = Object.fromEntries(scanners);
    this.#scanners = scanners;
  }

  /** Returns a scanner by its name. @throws RangeError for a name that the world does not have */
  scanner(name: string): TestScanner {
    const scanner = this.#scanners.get(name);
    if (scanner === undefined) throw new RangeError(noScanner(name, [...this.#scanners.keys()]));
    return scanner;
  }

  /** As `TestScanner.advance`, for all scanners. */
  async advance(milliseconds: number): Promise<void> {
    await this.#first.advance(milliseconds);
  }

  /** As `TestScanner.idle`, for all scanners. */
  async idle(): Promise<void> {
    await this.#first.idle();
  }

  /** Ends all scanners. Unsaved data is lost. Further calls do nothing. */
  async close(): Promise<void> {
    await closeAll(this.#scanners);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #first(): TestScanner {
    const [first] = this.#scanners.values();
    if (first === undefined) throw new TypeError('a world without scanners');
    return first;
  }
}
