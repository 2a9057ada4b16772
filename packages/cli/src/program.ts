import type { Command as AnyCommand } from 'commander';
import { exitCodeLines, exitCodes } from './command-failure.js';
import { Command } from './options/command.js';
import { errorLine, printable } from './output/output.js';
import { programVersion } from './program-version.js';

/** A command as `azimuth --help` lists it. Its options and its action are loaded when it is called. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<AnyCommand>;
}

/**
 * Makes the command line with these commands.
 * @param json true if errors of the command line are reported as JSON
 */
export function createProgram(commands: readonly AnyCommand[], json = false): Command {
  const program = new Command('azimuth')
    .withDeviceOptions()
    .description('Run virtual 2D laser scanners. Read, set and maintain real and virtual ones.')
    .version(programVersion(), '--version')
    // An option after a command belongs to the command: serve has a --json of its own.
    .enablePositionalOptions()
    // Our own help command also has topics.
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (command) => `${command.name()} ${command.usage()}` })
    .exitOverride()
    .addHelpText('after', exitCodeTable)
    .addHelpText(
      'after',
      '\nExamples:\n  azimuth serve\n  azimuth get LocationName\n  azimuth set LocationName Gate 3',
    );
  for (const command of commands) {
    program.addCommand(inheritSettings(command, program));
  }
  reportOwnErrors(program, json);
  return program;
}

/** Gives a separate command, and the commands below it, the program's settings. */
function inheritSettings(command: AnyCommand, parent: AnyCommand): AnyCommand {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inheritSettings(child, command);
  return command;
}

/** Makes this command and all below it report a wrong command line in one line. */
function reportOwnErrors(command: AnyCommand, json: boolean): void {
  for (const child of command.commands) reportOwnErrors(child, json);
  const exitCode = exitCodes.usage.code;
  command.configureOutput({
    outputError: (text, write) =>
      write(`${errorLine(printable(usageLine(text, command)), { json, exitCode })}\n`),
  });
}

function exitCodeTable(): string {
  return ['', 'Exit codes:', ...exitCodeLines].join('\n');
}

/**
 * Returns commander's error about a command line, in one line. Text after a `=`, or after the letter of `-p`, is not
 * repeated: it may be a secret.
 */
function usageLine(text: string, command: AnyCommand): string {
  const line = text
    .trim()
    .replace(/^error: /, '')
    .replace(/^(unknown option '[^=]*=).*?'(?=$|\n\()/s, "$1…'")
    .replace(/^(unknown option '-p)[^'].*?'(?=$|\n\()/is, "$1…'")
    .replace(/\s*\((Did you mean .*\?)\)$/, (_, question: string) => `; ${question.replace('D', 'd')}`)
    .replaceAll(/\s*\n\s*/g, ' ');
  const flag = /^unknown option '(.*?)'/.exec(line)?.[1];
  if (flag === undefined) return line;
  const secret = secretHint(flag, command);
  if (secret !== undefined) return `unknown option '${flag}'; ${secret}`;
  // Names have no dashes in front, but values may.
  const takesValues = command.registeredArguments.some((argument) =>
    ['value', 'request'].includes(argument.name()),
  );
  if (!takesValues || !line.endsWith(`'${flag}'`)) return line;
  const [first = ''] = command.args;
  const name = first.startsWith('-') ? 'NAME' : first;
  return `${line}; a value that begins with a dash goes behind --: azimuth ${command.name()} ${name} -- ${flag}`;
}

/** Options that users type for a secret, with the options and variables that accept it instead. */
const secrets = [
  [/^--new-pass(wor[dt]|wd)?(=|$)/i, '--new-password-file', 'AZIMUTH_NEW_PASSWORD', 'the new password'],
  [/^--passphrase(=|$)/i, '--passphrase-file', 'AZIMUTH_PASSPHRASE', 'the passphrase'],
  [
    /^(-p.*|--pass?(wor[dt]|wd)?(=.*)?|--pwd?(=.*)?)$/i,
    '--password-file',
    'AZIMUTH_PASSWORD',
    'the password',
  ],
] as const;

/** Returns the place for a secret that was typed as an option: it must not be in a process list or a history. */
function secretHint(flag: string, command: AnyCommand): string | undefined {
  for (const [meant, option, variable, what] of secrets) {
    const takesIt = command.options.some(({ long }) => long === option);
    if (takesIt && meant.test(flag)) {
      return `do not give ${what} on the command line: set ${variable}, or name a file with ${option}`;
    }
  }
  return undefined;
}
