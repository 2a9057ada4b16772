import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { backupCommand } from './commands/backup.js';
import { callCommand } from './commands/call.js';
import { certificateCommand } from './commands/certificate.js';
import { describeCommand } from './commands/describe.js';
import { diagnoseCommand } from './commands/diagnose.js';
import { firmwareCommand } from './commands/firmware.js';
import { getCommand } from './commands/get.js';
import { passwordCommand } from './commands/password.js';
import { restoreCommand } from './commands/restore.js';
import { serveCommand } from './commands/serve.js';
import { setCommand } from './commands/set.js';
import { updateCommand } from './commands/update.js';
import { usersCommand } from './commands/users.js';
import { exitCodes } from './exit-code.js';
import { withDeviceOptions } from './options.js';
import { printable } from './printable.js';
import { usageLine } from './usage-line.js';

/** The whole command line. Commands load what they need when they are run, so that none waits for another's. */
export function azimuthProgram(): Command {
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
  const commands = [
    serveCommand(),
    getCommand(),
    setCommand(),
    callCommand(),
    describeCommand(),
    backupCommand(),
    restoreCommand(),
    updateCommand(),
    diagnoseCommand(),
    certificateCommand(),
    passwordCommand(),
    usersCommand(),
    firmwareCommand(),
  ];
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
