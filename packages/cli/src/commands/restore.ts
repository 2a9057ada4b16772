import { Command } from 'commander';
import { deviceOptions, withDeviceOptions, withExamples } from '../options.js';
import { withPassphrase, withYes } from '../transfers/options.js';

export function restoreCommand(): Command {
  const command = new Command('restore')
    .summary('put the parameters of a backup file back')
    .description(
      'Put the parameters of a backup file back, working and stored. Shows what changes before it asks, and tells which of them could not be restored. A backup of another scanner is refused unless --with-network is given: it would take the address and the name of that one along.',
    )
    .argument('<file>', 'the backup file')
    .option('--with-network', 'also restore a backup of another scanner, with its address and its name')
    .action(async (file: string, own: { readonly withNetwork?: boolean }) => {
      const { restore } = await import('../actions/restore.js');
      await restore(file, { ...deviceOptions(command), ...own });
    });
  return withExamples(
    withYes(withPassphrase(withDeviceOptions(command))),
    'azimuth restore gate3.json',
    'azimuth restore gate3.json --passphrase-file secret.txt --yes',
    'azimuth restore gate3.json --with-network    (the scanner that takes the place of another one)',
  );
}
