import { defineCommand } from './commands/get.js';
import { Command } from './options/command.js';
import { asksForJson } from './output/output.js';
import { createProgram } from './program.js';
import { run } from './run.js';

/** Runs `azimuth get …`: scripts read in loops, so it starts without all other commands. Never rejects, as `run`. */
export function main(argv: readonly string[]): Promise<void> {
  const json = asksForJson(argv);
  return run(() => createProgram([defineCommand(new Command('get'))], json), argv, json);
}
