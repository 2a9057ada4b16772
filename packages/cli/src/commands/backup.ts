import { Command } from 'commander';
import { deviceOptions, withDeviceOptions, withExamples } from '../options.js';
import { withForce, withPassphrase, withProgress } from '../transfers/options.js';

export function backupCommand(): Command {
  const command = new Command('backup')
    .summary('save the parameters into a file')
    .description('Have the scanner write its parameters, as they are now, and save them into a file.')
    .argument('<file>', 'where to; - for standard output')
    .action(async (file: string) => {
      const { backup } = await import('../actions/backup.js');
      await backup(file, deviceOptions(command));
    });
  return withExamples(
    withProgress(withForce(withPassphrase(withDeviceOptions(command)))),
    'azimuth backup gate3.json --device http://192.168.0.1',
    'azimuth backup gate3.json --passphrase-file secret.txt --force',
    'azimuth backup - | gzip > gate3.json.gz',
  );
}
