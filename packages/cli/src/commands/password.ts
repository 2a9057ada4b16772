import { ResultError, Scanner } from '@azimuth/client';
import { CommandFailure } from '../command-failure.js';
import { readNewPassword } from '../input/secrets.js';
import type { Command } from '../options/command.js';
import type { GenerateOptions } from '../passwords/generate.js';
import { withRollout } from '../rollout/with-rollout.js';
import { canLogIn, loginLevelNamed, scannerAt } from '../scanners/connection.js';
import type { Target } from '../scanners/target.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Change the REST password of a user level. Give the old password by --password-file, by AZIMUTH_PASSWORD or at the prompt. A change of several scanners that broke off goes on if you repeat the command: scanners that have the new password already are left as they are. With --generate, each scanner gets a password of its own, of 24 letters and digits. It is kept before it is set, one scanner after the other, and the old one is kept until a login has proven the new one.',
    )
    .argument('<level>', 'Maintenance, AuthorizedClient or Service')
    .option(
      '--new-password-file <file>',
      'read the new password from this file (default: AZIMUTH_NEW_PASSWORD, otherwise you are asked)',
    )
    .option('--generate', 'give each scanner a password of its own, with a journal as of --rolling 1')
    .option('--store <file>', 'keep the generated passwords in this file, which only you may read')
    .option(
      '--store-command <command>',
      'give each generated password to this command on its standard input; AZIMUTH_SCANNER, AZIMUTH_LEVEL and AZIMUTH_STAGE (next, then password) say which one it is',
    )
    .option(
      '--show-command <command>',
      'with --store-command, the command that prints it, by the same variables',
    )
    .option('--devices', 'let the devices file find the generated passwords')
    .action((level: string) => changePassword(level, command.allOptions(), command.words))
    .withDeviceOptions()
    .withRollout()
    .withExamples(
      'azimuth password Service',
      'azimuth password Maintenance --password-file old.txt --new-password-file new.txt',
      'azimuth password @hall/* Service --generate --store passwords.yaml --devices',
    );
}

interface Options extends GenerateOptions {
  readonly newPasswordFile?: string;
  readonly generate?: boolean;
}

/** Changes the REST password of a user level. The old password is the proof; no login is needed. */
async function changePassword(name: string, options: Options, words: readonly string[]): Promise<void> {
  const level = loginLevelNamed(name);
  if (options.generate === true) {
    if (options.newPasswordFile !== undefined)
      throw new CommandFailure('give --generate or --new-password-file, not both');
    const { generatePasswords } = await import('../passwords/generate.js');
    await generatePasswords(level, options, words);
    return;
  }
  const lost = (['store', 'storeCommand', 'showCommand', 'devices'] as const).find(
    (option) => options[option] !== undefined,
  );
  if (lost !== undefined) {
    throw new CommandFailure('--store, --store-command, --show-command and --devices need --generate');
  }
  const terminal = process.stdin.isTTY ? { keyboard: process.stdin, screen: process.stderr } : undefined;
  await withRollout(options, { command: 'password', words, facts: { level } }, async (scanners) => {
    for (const target of scanners.targets) scannerAt(target); // Reports a wrong URL before it asks for a password.
    const olds = await scanners.each(({ passwordOf }) => passwordOf(level));
    const next = await readNewPassword(level, options.newPasswordFile, terminal);
    const hasNext = ({ url }: Target) => canLogIn(new Scanner({ url, user: level, password: next }));
    await scanners.change({
      isInForce: hasNext,
      act: async (target, output) => {
        try {
          await scannerAt(target).changePassword(level, olds.get(target) ?? '', next);
          output.done(`${level} has the new password`);
        } catch (error) {
          if (!(error instanceof ResultError) || error.resultName !== 'NOT_ACCEPTED') throw error;
          // Repeating the command continues an interrupted change of several scanners.
          if (!(await hasNext(target))) throw error;
          output.done(`${level} had the new password already`);
        }
      },
    });
  });
}
