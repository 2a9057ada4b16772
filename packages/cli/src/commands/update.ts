import { Command } from 'commander';
import { deviceOptions, withDeviceOptions, withExamples } from '../options.js';
import { withProgress, withYes } from '../transfers/options.js';

export function updateCommand(): Command {
  const command = new Command('update')
    .summary('install firmware')
    .description(
      'Send firmware, have it installed, wait until the scanner is back, and tell its version. There is no way back to an older release.',
    )
    .argument('<file>', 'the firmware: .spk, or .spk.signed from release 2.2.0 on')
    .option('--expect <version>', 'fail unless the scanner tells this version afterwards: 2.4.4.0R')
    .action(async (file: string) => {
      const { update } = await import('../actions/update.js');
      await update(file, deviceOptions(command));
    });
  return withExamples(
    withProgress(withYes(withDeviceOptions(command))),
    'azimuth update firmware.spk.signed',
    'azimuth update firmware.spk.signed --yes --expect 2.4.4.0R --json',
  );
}
