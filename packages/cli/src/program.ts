import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { exitCodes } from './exit-code.js';
import { withDeviceOptions } from './options.js';
import { printable } from './printable.js';
import { usageLine } from './usage-line.js';

/** The command line with these commands. They load what they need when they are run. */
export function programOf(commands: readonly Command[]): Command {
  const program = withDeviceOptions(new Command('azimuth'))
    .description('Serve, read, set and look after 2D laser scanners, real and virtual')
    .version(version(), '--version')
    // An option behind a command is that command's: serve has a --json of its own.
    .enablePositionalOptions()
    .exitOverride()
    .addHelpText('after', exitCodeTable)
    .addHelpText(
      'after',
      '\nExamples:\n  azimuth serve\n  azimuth get LocationName\n  azimuth set LocationName Gate 3',
    );
  for (const command of commands) {
    program.addCommand(inheriting(command, program));
  }
  return speaking(program);
}

/** A command that was made on its own knows nothing of the program's settings, nor do the commands below it. */
function inheriting(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inheriting(child, command);
  return command;
}

/** What is wrong with a command line is told in our own way, by this command and all below it. */
function speaking(command: Command): Command {
  for (const child of command.commands) speaking(child);
  return command.configureOutput({
    outputError: (text, write) => write(`azimuth: ${printable(usageLine(text, command))}\n`),
  });
}

function exitCodeTable(): string {
  const rows = Object.values(exitCodes).map(({ code, text }) => `  ${String(code).padStart(2)}  ${text}`);
  return ['', 'Exit codes:', ...rows].join('\n');
}

function version(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  return version;
}
