import { azimuthProgram } from './all-commands.js';
import { asksForJson } from './output/output.js';
import { run } from './run.js';

/** Runs the `azimuth` command with its arguments, without the program's own name. Never rejects, as `run`. */
export function main(argv: readonly string[]): Promise<void> {
  return run(() => azimuthProgram(argv), argv, asksForJson(argv));
}
