import { Command } from 'commander';
import { deviceOptions, withDeviceOptions, withExamples } from '../options.js';

export function passwordCommand(): Command {
  const command = new Command('password')
    .summary('change the REST password of a user level')
    .description(
      'Change the REST password of a user level. The old one is what --password-file, AZIMUTH_PASSWORD or the prompt give.',
    )
    .argument('<level>', 'Maintenance, AuthorizedClient or Service')
    .option(
      '--new-password-file <file>',
      'read the new password from a file (else AZIMUTH_NEW_PASSWORD, else a prompt)',
    )
    .action(async (level: string) => {
      const { changePassword } = await import('../actions/password.js');
      await changePassword(level, deviceOptions(command));
    });
  return withExamples(
    withDeviceOptions(command),
    'azimuth password Service',
    'azimuth password Maintenance --password-file old.txt --new-password-file new.txt',
  );
}
