import { Command } from 'commander';
import { loginLevelNamed, scannerAt } from '../connection.js';
import { type DeviceOptions, deviceOptions, withDeviceOptions, withExamples } from '../options.js';
import { newPasswordOf } from '../secrets.js';
import { withScanners } from '../targets/each-scanner.js';

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
  const terminal = process.stdin.isTTY ? { keyboard: process.stdin, screen: process.stderr } : undefined;
  await withScanners(options, async (scanners) => {
    for (const target of scanners.targets) scannerAt(target); // Reports a wrong URL before it asks for a password.
    const olds = await scanners.each(({ passwordOf }) => passwordOf(level));
    const next = await newPasswordOf(level, options.newPasswordFile, terminal);
    await scanners.each(async (target, output) => {
      await scannerAt(target).changePassword(level, olds.get(target) ?? '', next);
      output.done(`${level} has the new password`);
    });
  });
}
