import { Command } from 'commander';
import { deviceOptions, withDeviceOptions, withExamples } from '../options.js';

export function callCommand(): Command {
  const command = new Command('call')
    .description('call a method and print its response')
    .argument('<method>', 'the method')
    .argument('[request...]', 'its request: JSON, or member=value for each member')
    .option('--wait', 'wait out the reboot that the method brings')
    .action(async (name: string, words: string[], { wait = false }: { wait?: boolean }) => {
      const { call } = await import('../actions/call.js');
      await call(name, words, { ...deviceOptions(command), wait });
    });
  return withExamples(
    withDeviceOptions(command),
    'azimuth call WriteEeprom',
    'azimuth call EnableUserLevel userLevel=3 isEnabled=on',
    `azimuth call SoftReset '{"ProcessorNbr":0}' --password-file service.txt`,
    'azimuth call RebootDevice --wait',
    'azimuth call WriteEeprom --device cola://192.168.0.1',
    'azimuth call GetWebserverEnabled --json',
  );
}
