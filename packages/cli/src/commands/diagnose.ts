import { Command } from 'commander';
import { deviceOptions, withDeviceOptions, withExamples } from '../options.js';
import { withForce, withProgress } from '../transfers/options.js';

export function diagnoseCommand(): Command {
  const command = new Command('diagnose')
    .summary('fetch a diagnostic archive')
    .description('Have the scanner make a diagnostic archive (a zip), and save it into a file.')
    .argument('<file>', 'where to; - for standard output')
    .option('--output <name>', 'keep it on the scanner under this name as well')
    .option('--suspend', 'suspend measuring meanwhile')
    .action(async (file: string) => {
      const { diagnose } = await import('../actions/diagnose.js');
      await diagnose(file, deviceOptions(command));
    });
  return withExamples(
    withProgress(withForce(withDeviceOptions(command))),
    'azimuth diagnose gate3.zip',
    'azimuth diagnose gate3.zip --suspend --force',
    'azimuth diagnose - > gate3.zip',
  );
}
