import { Command } from 'commander';
import { deviceOptions, withDeviceOptions, withExamples } from '../options.js';

export function setCommand(): Command {
  const command = new Command('set')
    .summary('write a variable')
    .description(
      'Write a variable. It is in force at once, and outlives a reboot after `azimuth call WriteEeprom`.',
    )
    .argument('<name>', 'the variable')
    .argument('<value...>', 'JSON, the natural form, or what to change in a struct or list: part=value')
    .action(async (name: string, words: string[]) => {
      const { set } = await import('../actions/set.js');
      await set(name, words, deviceOptions(command));
    });
  return withExamples(
    withDeviceOptions(command),
    'azimuth set LocationName Gate 3',
    'azimuth set EtherIPAddress 192.168.0.7',
    'azimuth set EtherAddressingMode TX_IP_DHCP',
    'azimuth set ScanDataEnable on --user AuthorizedClient',
    'azimuth set ScanDataEthSettings Port=2116 IPAddress=192.168.0.50',
    'azimuth set ScanDataConfig RemDataConfig.bEnable=off',
    'azimuth set PortConfiguration 0.Name="Gate 3" 0.OutputSettings.RestartTime=500',
    `azimuth set ScanDataEthSettings '{"Protocol":1,"IPAddress":[192,168,0,50],"Port":2116}'`,
    'azimuth set LocationName Gate 3 --device colab://192.168.0.1:2112',
    'azimuth set LocationName -- -7-    (behind -- nothing is an option)',
  );
}
