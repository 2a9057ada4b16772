import { Command } from 'commander';
import { deviceOptions, withDeviceOptions, withExamples } from '../options.js';

export function getCommand(): Command {
  const command = new Command('get')
    .description('read variables')
    .argument('[name...]', 'variables to read; one alone is printed as its bare value')
    .option('--all', 'read everything that the scanner has')
    .action(async (names: string[], own: { readonly all?: boolean }) => {
      const { get } = await import('../actions/get.js');
      await get(names, { ...deviceOptions(command), ...own });
    });
  return withExamples(
    withDeviceOptions(command),
    'azimuth get LocationName',
    'azimuth get EtherIPAddress EtherIPMask --device http://192.168.0.1',
    'azimuth get DeviceIdent --device cola://192.168.0.1    (legacy interface A; colab:// is B)',
    'azimuth get --all --json > scanner.json',
    'azimuth get x/stored    (what a reboot or a power cut leaves)',
  );
}
