import type { LoadProcess } from './processes/load.js';

/** What every measurement works with. */
export interface Bench {
  readonly load: LoadProcess;
  /** A folder of this run, on the disk of the repository. */
  readonly folder: string;
  readonly rounds: number;
  /** Measured seconds of each load. */
  readonly seconds: number;
  /** Tells how far it is. */
  readonly progress: (text: string) => void;
}
