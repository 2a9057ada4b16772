import type { Variable } from '@azimuth/model';
import { Command } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { withNamedScanner } from '../connection.js';
import { variableNamed } from '../endpoint-names.js';
import { type DeviceOptions, deviceOptions, withDeviceOptions, withExamples } from '../options.js';
import { applyChanges, areChanges, parseChanges, parseValue } from '../parse-value.js';
import { eachScanner } from '../targets/each-scanner.js';

export function setCommand(): Command {
  const command = new Command('set')
    .description(
      'Write a variable. The scanner uses the value at once, but network settings only after EthernetUpdate or a boot. To keep the value after a power cut, save it: azimuth call WriteEeprom',
    )
    .argument('<name>', 'name of the variable')
    .argument(
      '<value...>',
      'JSON, or plain text such as 12, on, 192.168.0.7 or TX_IP_DHCP. To change parts of a struct or list: part=value',
    )
    .action(async (name: string, words: string[]) => {
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
    'azimuth set LocationName -- -7-    (after --, a value may begin with a dash)',
  );
}

/** Writes a variable. Its value is checked before a password is asked for and before anything is sent. */
async function set(name: string, words: readonly string[], options: DeviceOptions): Promise<void> {
  const variable = variableNamed(name);
  if (variable.facts.write === undefined) throw new CommandFailure(`${name} is read-only`);
  const valueFrom = typedValue(name, variable, words);
  await eachScanner(options, (target) =>
    withNamedScanner(target, async (scanner) => {
      const value = await valueFrom(() => scanner.readAny(name));
      await (await scanner.loggedIn()).writeAny(name, value);
    }),
  );
}

/** The value that words mean: whole, or what the scanner holds with some parts changed. */
function typedValue(
  name: string,
  { type }: Variable<unknown>,
  words: readonly string[],
): (current: () => Promise<unknown>) => Promise<unknown> {
  if (areChanges(type.shape, words)) {
    const changes = parseChanges(type.shape, name, words);
    return async (current) => type.fromJson(applyChanges(await current(), name, changes), name);
  }
  const value = parseValue(type, name, words.join(' '));
  return () => Promise.resolve(value);
}
