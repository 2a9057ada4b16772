import { type Command, CommanderError } from 'commander';
import { exitCodes } from './command-failure.js';
import { exitWhenOutputCloses } from './output.js';
import { shortageOfFiles } from './serve/open-files.js';

/**
 * Runs a program with its arguments, without its own name. Never rejects: a failure is one line on stderr and
 * `process.exitCode` (command-failure.ts).
 */
export async function run(
  makeProgram: () => Command | Promise<Command>,
  argv: readonly string[],
): Promise<void> {
  exitWhenOutputCloses();
  const shortage = shortageOfFiles(argv);
  if (shortage !== undefined) {
    process.stderr.write(`azimuth: ${shortage}\n`);
    process.exitCode = 1;
    return;
  }
  try {
    const program = await makeProgram();
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    process.exitCode = await report(error);
  }
}

async function report(error: unknown): Promise<number> {
  // Commander has printed its message already; help and version are not failures.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage.code;
  // Only a failure loads the error classes of the client.
  const { failureOf } = await import('./failure.js');
  const { line, exitCode } = await failureOf(error);
  process.stderr.write(`azimuth: ${line}\n`);
  return exitCodes[exitCode].code;
}
