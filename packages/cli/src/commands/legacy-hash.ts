import { legacyPasswordHash } from '@azimuth/client';
import { levels } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { askPassword } from '../input/prompt.js';
import { readSecret } from '../input/secrets.js';
import type { Command } from '../options/command.js';
import { jsonText, print } from '../output/output.js';
import { loginLevelNamed } from '../scanners/connection.js';

interface Options {
  readonly passwordFile?: string;
  readonly json?: boolean;
}

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Print the number that drivers and the legacy protocol want in place of a password (SetAccessMode): 8 hexadecimal digits. It is as good as the password: keep it secret.',
    )
    .argument('<level>', 'Maintenance, AuthorizedClient or Service')
    .option(
      '--password-file <file>',
      'read the password from this file (default: AZIMUTH_PASSWORD, otherwise you are asked)',
    )
    .option('--json', 'print JSON')
    .action((level: string) => printHash(level, command.optsWithGlobals<Options>()))
    .withExamples(
      'azimuth legacy-hash Service                  # asks for the password, and prints for example 81BE23AA',
      'azimuth legacy-hash AuthorizedClient --password-file client.txt --json',
    );
}

async function printHash(name: string, { passwordFile, json }: Options): Promise<void> {
  const level = loginLevelNamed(name);
  const password = await passwordFor(level, passwordFile);
  const hash = legacyPasswordHash(password);
  const hex = hash.toString(16).toUpperCase().padStart(8, '0');
  const login = `sMN SetAccessMode ${levels[level]} ${hex}`;
  if (json === true) return print(`${jsonText({ level, hex, number: hash, login })}\n`);
  return print(`${hex}\n`);
}

async function passwordFor(level: string, file: string | undefined): Promise<string> {
  if (file !== undefined) return readSecret(file, 'password');
  const { AZIMUTH_PASSWORD: password = '' } = process.env;
  if (password !== '') return password;
  if (process.stdin.isTTY) return askPassword(`Password of ${level}: `, process.stdin, process.stderr);
  throw new CommandFailure(
    'the password is needed: give --password-file or AZIMUTH_PASSWORD (cannot ask for it without a terminal)',
  );
}
