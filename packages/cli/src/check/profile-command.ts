import { identify, writtenProfile } from '@azimuth/check';
import { Command, type DeviceOptions } from '../options/command.js';
import { WordArgument } from '../options/word-argument.js';
import { chosenScanner } from '../scanners/chosen.js';
import { scannerAt } from '../scanners/connection.js';
import { OutputFile, standardOutput } from '../transfers/output-file.js';
import { answered, checkTarget } from './check-scanner.js';

interface Options extends DeviceOptions {
  readonly output?: string;
  readonly force?: boolean;
}

/** The command `azimuth check profile`. @param tool name and version of this program */
export function profileCommand(tool: string): Command {
  const command: Command = new Command('profile')
    .summary('write down what a scanner is')
    .description(
      'Write down what a scanner says of itself, as JSON: release, groups, absent names, own names, narrower ranges, times of answers. azimuth check reads it with --profile. Add what deviates by hand: "deviations": [{"case": "ID", "reason": "TEXT"}].',
    )
    .addArgument(new WordArgument('[url]', 'the scanner, as after --device', 'scanner'))
    .option('-o, --output <file>', 'file to write (default: standard output)')
    .action((url: string | undefined) => writeProfile(url, command.allOptions(), tool));
  return command
    .withDeviceOptions()
    .withForce()
    .withExamples('azimuth check profile http://192.168.0.1 -o gate.json');
}

async function writeProfile(url: string | undefined, given: Options, tool: string): Promise<void> {
  const { output = standardOutput, force = false } = given;
  const options = url === undefined ? given : { ...given, device: [url, ...(given.device ?? [])] };
  const file = await OutputFile.at(output, force);
  const target = await chosenScanner(options, 'check profile');
  const checked = checkTarget(scannerAt(target).url);
  const profile = await answered(checked.url, async () =>
    writtenProfile(checked, await identify(checked), tool),
  );
  async function* pieces() {
    yield Buffer.from(`${JSON.stringify(profile, undefined, 2)}\n`);
  }
  await file.write(pieces());
}
