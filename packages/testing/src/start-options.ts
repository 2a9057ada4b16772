import type { Log, MeasuringCore } from '@azimuth/device';
import type { LoginLevel, Release, Variant } from '@azimuth/model';
import type { FaultPlan } from '@azimuth/world/faults';
import type { Scene, SceneFile } from '@azimuth/world/scene';

/** What `startScanner` takes. Everything has a default. */
export interface StartOptions {
  /**
   * What it measures: a ready scene, a scene file by its path, or the content of one. By default, `warehouse-aisle`.
   */
  readonly scene?: string | SceneFile | Scene;
  /** A core of your own in place of a scene. */
  readonly core?: MeasuringCore;
  /** Of the measuring noise, 0 to 4294967295; 1 by default. The same seed and scene give the same scans. */
  readonly seed?: number;
  /** The newest by default. */
  readonly release?: Release;
  /** `full` by default. */
  readonly variant?: Variant;
  /**
   * `virtual`, the default: time stands still but for `advance`. `real`: it runs by itself. A factor: it runs so many times
   * as fast, 0.01 to 1000, or as fast as the machine can.
   */
  readonly clock?: 'virtual' | 'real' | { readonly factor: number };
  /** Faults from the start on; more can be added later. */
  readonly faults?: FaultPlan;
  /** Up to 9 letters and digits; 123456789 by default. */
  readonly serial?: string;
  /** The factory passwords by default. */
  readonly passwords?: Readonly<Partial<Record<LoginLevel, string>>>;
  /** The user level of `client`; Service by default. */
  readonly user?: LoginLevel;
  /** A folder that keeps what the scanner stores. By default, it stores in memory and forgets all at its end. */
  readonly folder?: string;
  /** Does it have the legacy interfaces A and B? True by default. */
  readonly legacy?: boolean;
  /** Does it answer the device search? False by default. */
  readonly search?: boolean;
  /** Does it have a control port, for another process? False by default. */
  readonly controlPort?: boolean;
  /** How long a reboot takes, in s; 2 by default. */
  readonly bootTime?: number;
  /** The address at which it listens; 127.0.0.1 by default. */
  readonly host?: string;
  /** Gets the lines of its log; by default, only errors are printed, on stderr. */
  readonly log?: Log;
}
