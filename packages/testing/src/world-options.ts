import { isObject } from '@azimuth/model';
import type { Scene, SceneFile } from '@azimuth/simulation/world';
import { checkNames, checkOptions, expected, isText, known, type StartOptions } from './start-options.js';

/** Options that the scanners of a world share. */
const ofWorld = ['scene', 'core', 'clock', 'timers'] as const;
/** Options that only one scanner can have. */
const ofScanner = ['serial', 'folder'] as const;

/** Options of one scanner of a world. */
export type WorldScannerOptions = Omit<StartOptions, (typeof ofWorld)[number]>;

/** Options of `startWorld`. Those of `startScanner` are for all of its scanners. */
export interface WorldOptions extends Omit<WorldScannerOptions, (typeof ofScanner)[number]> {
  /** The world: a scene file by its path or its content, with `scanners`, or `vehicles` with `scanners`. */
  readonly world: string | SceneFile | Scene;
  /** One clock for all. As for `startScanner`: `virtual` by default. */
  readonly clock?: StartOptions['clock'];
  /** The timers of the program that is tested, as for `startScanner`. */
  readonly timers?: StartOptions['timers'];
  /** The folder of the world. Each scanner stores in a folder of its name in it. By default, in memory. */
  readonly folder?: string | undefined;
  /** Options of single scanners, by their names in the world. */
  readonly scanners?: Readonly<Record<string, WorldScannerOptions | undefined>> | undefined;
}

/** Checks all but the names of scanners. */
export function checkWorldOptions(options: WorldOptions): void {
  expected('startWorld', options, (value) => isObject(value), 'an object');
  const { world, scanners = {}, ...shared } = options;
  const own = Object.keys(known).filter((name) => ![...ofWorld, ...ofScanner].some((one) => one === name));
  expected('world', world, (value) => isText(value) || isObject(value), 'a file or the content of a world');
  checkNames('startWorld', options, [...own, 'world', 'clock', 'timers', 'folder', 'scanners']);
  checkOptions('startWorld', shared);
  expected('scanners', scanners, (value) => isObject(value), 'options by the names of scanners');
  for (const [name, options = {}] of Object.entries(scanners)) {
    checkNames(`scanners.${name}`, options, [...own, ...ofScanner]);
    checkOptions(`scanners.${name}`, options);
  }
}
