import { Command } from 'commander';
import { deviceOptions, withExamples } from '../options.js';

export function describeCommand(): Command {
  const command = new Command('describe')
    .description('tell what a variable, a method or a file is, without asking a scanner')
    .argument('<name>', 'the variable, method or file')
    .option('--json', 'print JSON, for machines')
    .action(async (name: string) => {
      const { describe } = await import('../actions/describe.js');
      describe(name, deviceOptions(command));
    });
  return withExamples(
    command,
    'azimuth describe EtherAddressingMode',
    'azimuth describe parameterbackup',
    'azimuth describe WriteEeprom --json',
  );
}
