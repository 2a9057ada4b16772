import { Command } from 'commander';
import { loginLevelNamed, scannerAt, urlOf } from '../connection.js';
import { type DeviceOptions, deviceOptions, withDeviceOptions, withExamples } from '../options.js';
import { newPasswordOf, passwordFor } from '../secrets.js';

export function passwordCommand(): Command {
  const command = new Command('password')
    .description(
      'Change the REST password of a user level. Give the old password by --password-file, by AZIMUTH_PASSWORD or at the prompt.',
    )
    .argument('<level>', 'Maintenance, AuthorizedClient or Service')
    .option(
      '--new-password-file <file>',
      'read the new password from this file (default: AZIMUTH_NEW_PASSWORD, otherwise you are asked)',
    )
    .action(async (level: string) => {
      await changePassword(level, deviceOptions(command));
    });
  return withExamples(
    withDeviceOptions(command),
    'azimuth password Service',
    'azimuth password Maintenance --password-file old.txt --new-password-file new.txt',
  );
}

interface Options extends DeviceOptions {
  readonly newPasswordFile?: string;
}

/** Changes the REST password of a user level. The old password is the proof; no login is needed. */
async function changePassword(name: string, options: Options): Promise<void> {
  const level = loginLevelNamed(name);
  const scanner = scannerAt(options);
  const terminal = process.stdin.isTTY ? { keyboard: process.stdin, screen: process.stderr } : undefined;
  const old = await passwordFor(level, urlOf(options), options);
  const next = await newPasswordOf(level, options.newPasswordFile, terminal);
  await scanner.changePassword(level, old, next);
}
