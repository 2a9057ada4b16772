import type { Variable } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { confirmLoss } from '../input/prompt.js';
import type { Command, DeviceOptions } from '../options/command.js';
import { WordArgument } from '../options/word-argument.js';
import { targetsText } from '../scanners/chosen.js';
import { withNamedScanner } from '../scanners/connection.js';
import { asDescribed } from '../scanners/described.js';
import { type Scanners, withScanners } from '../scanners/each-scanner.js';
import { refuseMistypedWords, typedInOneWord } from '../set/mistyped-words.js';
import { variableNamed } from '../values/endpoint-names.js';
import { formatValue, oneLine } from '../values/format-value.js';
import { applyChanges, areChanges, parseChanges, parseValue } from '../values/parse-value.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Write a variable. The scanner uses the value at once, but network settings only after EthernetUpdate or a boot. To keep the value after a power cut, save it: azimuth save. If several scanners are about to get the same name or address, it asks first.',
    )
    .usage('[options] <name> <value...>')
    .addArgument(new WordArgument('<name>', 'name of the variable', 'parameter'))
    .argument(
      '[value...]',
      'JSON, or plain text such as 12, on, 192.168.0.7 or TX_IP_DHCP. To change parts of a struct or list: part=value',
    )
    .option('--force', 'write a value that is allowed, but probably a slip, such as a subnet mask with holes')
    .action((name: string, words: string[]) => set(name, words, command.allOptions()))
    .withDeviceOptions()
    .withYes()
    .withExamples(
      'azimuth set LocationName Gate 3',
      'azimuth set EtherIPAddress 192.168.0.7',
      'azimuth set EtherAddressingMode TX_IP_DHCP',
      'azimuth set @hall/* ScanDataEnable on    (all scanners of a group of azimuth devices)',
      'azimuth set ScanDataEnable on --user AuthorizedClient',
      'azimuth set ScanDataEthSettings Port=2116 IPAddress=192.168.0.50',
      'azimuth set ScanDataConfig RemDataConfig.bEnable=off',
      'azimuth set PortConfiguration 0.Name="Gate 3" 0.OutputSettings.RestartTime=500',
      `azimuth set ScanDataEthSettings '{"Protocol":1,"IPAddress":[192,168,0,50],"Port":2116}'`,
      'azimuth set LocationName Gate 3 --device colab://192.168.0.1:2112',
      'azimuth set LocationName -- -7-    (after --, a value may begin with a dash)',
    );
}

interface SetOptions extends DeviceOptions {
  readonly force?: boolean;
  readonly yes?: boolean;
}

/** Writes a variable. Its value is checked before a password is asked for and before anything is sent. */
async function set(name: string, words: readonly string[], options: SetOptions): Promise<void> {
  if (words.length === 0) throw typedInOneWord(name);
  await withScanners(options, async (scanners) => {
    const { variable, valueFrom } = await asDescribed(scanners.targets, (known) => {
      const variable = variableNamed(name, known);
      if (variable.facts.write === undefined) throw new CommandFailure(`${name} is read-only`);
      refuseMistypedWords(name, variable, words, options.force === true);
      return { variable, valueFrom: typedValue(name, variable, words) };
    });
    await confirmCopies(name, variable, scanners, options);
    await scanners.each(async (target, output) => {
      const value = await withNamedScanner(target, async (scanner) => {
        const value = await valueFrom(() => scanner.readAny(name));
        refuseDoubts(name, variable, value, options.force === true);
        await (await scanner.loggedIn()).writeAny(name, value);
        return value;
      });
      const text = oneLine(formatValue(variable.type.shape, value, (member) => variable.unitOf(member)));
      const saved = !variable.stored ? '' : '  (unsaved: azimuth save keeps it)';
      output.done(`${name} = ${text}${saved}`);
    });
  });
}

/** Asks before several scanners get the same name or address. @throws CommandFailure if the answer is no */
async function confirmCopies(
  name: string,
  { facts }: Variable<unknown>,
  { targets }: Scanners,
  options: SetOptions,
): Promise<void> {
  if (facts.ofOneScanner !== true || targets.length === 1) return;
  const what = `${name} belongs to one scanner, and ${targetsText(targets)} are about to get the same value`;
  await confirmLoss(what, 'The values that they have now are lost. Write it to all of them?', options);
}

/** @throws CommandFailure for a valid value that is probably a typing error */
function refuseDoubts(name: string, variable: Variable<unknown>, value: unknown, force: boolean): void {
  const doubt = force ? undefined : variable.facts.doubts?.(value);
  if (doubt !== undefined) throw new CommandFailure(`${name}: ${doubt}. To write it anyway: --force`);
}

/** Returns the value of the words: a whole value, or the current value with some parts changed. */
function typedValue(
  name: string,
  variable: Variable<unknown>,
  words: readonly string[],
): (current: () => Promise<unknown>) => Promise<unknown> {
  const { type } = variable;
  if (areChanges(type.shape, words)) {
    const changes = parseChanges(type.shape, name, words);
    return async (current) => variable.valueFrom(applyChanges(await current(), name, changes), name);
  }
  const value = variable.valueFrom(parseValue(type, name, words.join(' ')), name);
  return () => Promise.resolve(value);
}
