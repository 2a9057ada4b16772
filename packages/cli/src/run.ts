import { type Command, CommanderError } from 'commander';
import { endWithReaders } from './broken-pipe.js';
import { exitCodes } from './exit-code.js';
import { shortageOfFiles } from './serve/open-files.js';

/**
 * Runs a program with its arguments, without its own name. Never rejects: a failure is one line on stderr and
 * `process.exitCode` (exit-code.ts).
 */
export async function run(program: Command, argv: readonly string[]): Promise<void> {
  endWithReaders();
  const shortage = shortageOfFiles(argv);
  if (shortage !== undefined) {
    process.stderr.write(`azimuth: ${shortage}\n`);
    process.exitCode = 1;
    return;
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    process.exitCode = await tell(error);
  }
}

async function tell(error: unknown): Promise<number> {
  // Commander has spoken by itself; help and version are no failures.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage.code;
  const { failureOf } = await import('./failure.js');
  const { line, exitCode } = await failureOf(error);
  process.stderr.write(`azimuth: ${line}\n`);
  return exitCodes[exitCode].code;
}
