import type { Command } from 'commander';

/** A command as `azimuth --help` lists it. Its options and its action are loaded when it is called. */
export interface CommandEntry {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}
