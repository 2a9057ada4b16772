import { Command } from 'commander';
import { deviceOptions, withDeviceOptions, withExamples } from '../options.js';
import { withPassphrase, withYes } from '../transfers/options.js';

export function restoreCommand(): Command {
  const command = new Command('restore')
    .summary('put the parameters of a backup file back')
    .description(
      'Put the parameters of a backup file back, working and stored. Tells which of them could not be restored.',
    )
    .argument('<file>', 'the backup file')
    .action(async (file: string) => {
      const { restore } = await import('../actions/restore.js');
      await restore(file, deviceOptions(command));
    });
  return withExamples(
    withYes(withPassphrase(withDeviceOptions(command))),
    'azimuth restore gate3.json',
    'azimuth restore gate3.json --passphrase-file secret.txt --yes',
  );
}
