import type { Release, Variant } from '@azimuth/model';
import type { FaultPlan } from '@azimuth/world/faults';
import type { Scene } from '@azimuth/world/scene';

/** Where a scanner listens itself. 0 is any free port, which it keeps while the fleet runs. */
export interface ScannerPorts {
  readonly host: string;
  readonly http: number;
  readonly https: number;
  readonly legacyA: number;
  readonly legacyB: number;
}

/** One scanner of a fleet, as it is wanted. */
export interface ScannerFacts {
  /** Up to 9 letters and digits, unique in the fleet. */
  readonly serial: string;
  /** The name of its group. */
  readonly group: string;
  /** The newest by default. */
  readonly release?: Release;
  readonly variant: Variant;
  /** Scanners may share it: nothing changes it. */
  readonly scene: Scene;
  /** Of the measuring noise, 0 to 4294967295. */
  readonly seed: number;
  /** Stored parameters of a scanner that starts for the first time, as the interface has them, by name. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Faults from each power-on on. */
  readonly faults?: FaultPlan;
  /** Undefined for a scanner that is reached by the port of the fleet alone. */
  readonly ports?: ScannerPorts;
}
