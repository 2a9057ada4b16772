import { type Command, CommanderError } from 'commander';
import { endWithReaders } from './broken-pipe.js';
import { exitCodes } from './exit-code.js';

/**
 * Runs the `azimuth` command with its arguments, without the program's own name. Never rejects: a failure is one
 * line on stderr and `process.exitCode` (exit-code.ts).
 */
export async function main(argv: readonly string[]): Promise<void> {
  endWithReaders();
  try {
    await (await programFor(argv)).parseAsync([...argv], { from: 'user' });
  } catch (error) {
    process.exitCode = await tell(error);
  }
}

/** A scanner starts without the commands of its clients. */
async function programFor([first]: readonly string[]): Promise<Command> {
  if (first !== 'serve') return (await import('./all-commands.js')).azimuthProgram();
  const [{ programOf }, { serveCommand }] = await Promise.all([
    import('./program.js'),
    import('./commands/serve.js'),
  ]);
  return programOf([serveCommand()]);
}

async function tell(error: unknown): Promise<number> {
  // Commander has spoken by itself; help and version are no failures.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage.code;
  const { failureOf } = await import('./failure.js');
  const { line, exitCode } = await failureOf(error);
  process.stderr.write(`azimuth: ${line}\n`);
  return exitCodes[exitCode].code;
}
