import { type Command, CommanderError } from 'commander';
import { exitCodes } from './command-failure.js';
import { commandRecord } from './log/command-record.js';
import { errorLine, exitWhenOutputCloses } from './output/output.js';
import { withNamedDevices } from './scanners/bare-names.js';
import { shortageOfFiles } from './serve/open-files.js';

/**
 * Runs a program with its arguments, without its own name. Never rejects: a failure is one line on stderr and
 * `process.exitCode` (command-failure.ts).
 * @param json true if failures are printed as JSON
 */
export async function run(
  makeProgram: () => Command | Promise<Command>,
  argv: readonly string[],
  json = false,
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
    commandRecord.follow(program);
    await program.parseAsync(withNamedDevices(program, argv), { from: 'user' });
  } catch (error) {
    process.exitCode = await report(error, json);
  } finally {
    await commandRecord.flush();
  }
}

async function report(error: unknown, json: boolean): Promise<number> {
  // Commander has printed its message already; help and version are not failures.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage.code;
  // Only a failure loads the error classes of the client.
  const { describeFailures } = await import('./output/failures.js');
  const { failures, summary, exitCode } = await describeFailures(error);
  for (const { scanners, line, exitCode: code } of failures) {
    const reported = json ? [...(scanners ?? [undefined])] : [scanners?.join(', ')];
    for (const scanner of reported) {
      process.stderr.write(`${errorLine(line, { json, exitCode: exitCodes[code].code, scanner })}\n`);
    }
  }
  if (summary !== undefined && !json) process.stderr.write(`azimuth: ${summary}\n`);
  return exitCodes[exitCode].code;
}
