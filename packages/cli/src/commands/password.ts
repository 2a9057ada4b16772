import { ResultError, Scanner } from '@azimuth/client';
import { readNewPassword } from '../input/secrets.js';
import type { Command, DeviceOptions } from '../options/command.js';
import { canLogIn, loginLevelNamed, scannerAt } from '../scanners/connection.js';
import { withScanners } from '../scanners/each-scanner.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Change the REST password of a user level. Give the old password by --password-file, by AZIMUTH_PASSWORD or at the prompt. A change of several scanners that broke off goes on if you repeat the command: scanners that have the new password already are left as they are.',
    )
    .argument('<level>', 'Maintenance, AuthorizedClient or Service')
    .option(
      '--new-password-file <file>',
      'read the new password from this file (default: AZIMUTH_NEW_PASSWORD, otherwise you are asked)',
    )
    .action((level: string) => changePassword(level, command.allOptions()))
    .withDeviceOptions()
    .withExamples(
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
    const next = await readNewPassword(level, options.newPasswordFile, terminal);
    await scanners.each(async (target, output) => {
      try {
        await scannerAt(target).changePassword(level, olds.get(target) ?? '', next);
        output.done(`${level} has the new password`);
      } catch (error) {
        if (!(error instanceof ResultError) || error.resultName !== 'NOT_ACCEPTED') throw error;
        // Repeating the command continues an interrupted change of several scanners.
        const scanner = new Scanner({ url: target.url, user: level, password: next });
        if (!(await canLogIn(scanner))) throw error;
        output.done(`${level} had the new password already`);
      }
    });
  });
}
