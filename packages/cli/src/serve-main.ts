import { defineCommand } from './commands/serve.js';
import { Command } from './options/command.js';
import { createProgram } from './program.js';
import { run } from './run.js';

/** Runs `azimuth serve …`: a scanner starts without the commands of its clients. Never rejects, as `run`. */
export function main(argv: readonly string[]): Promise<void> {
  return run(() => createProgram([defineCommand(new Command('serve'))]), argv);
}
