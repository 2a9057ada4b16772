import { Command, Option } from 'commander';
import type { ScanOptions } from '../actions/scan.js';
import { deviceOptions, withDeviceOptions, withExamples } from '../options.js';
import { withSourceOptions } from '../scan-data/options.js';
import { numberOption, wholeNumberOption } from '../serve/option-values.js';
import { withForce } from '../transfers/options.js';

export function scanCommand(): Command {
  const command = new Command('scan')
    .summary('show what a scanner sees')
    .description(
      'Show what a scanner sees: live in a terminal, otherwise as one picture. With --json, a line of JSON for each frame until Ctrl-C. With --png, --svg and --csv, the first whole frame as files.',
    )
    .addOption(
      new Option('--range <metres>', 'how far the picture reaches; what is seen decides otherwise').argParser(
        numberOption(0.1, 1000),
      ),
    )
    .addOption(
      new Option('--count <frames>', 'end after so many frames').argParser(
        wholeNumberOption(1, 1_000_000_000),
      ),
    )
    .addOption(
      new Option('--wait <seconds>', 'how long to wait for the first frame, but in a live picture')
        .argParser(numberOption(0.1, 86_400))
        .default(10),
    )
    .option('--png <file>', 'write a picture (PNG)')
    .option('--svg <file>', 'write a picture (SVG)')
    .option('--csv <file>', 'write a table with a line for each echo')
    .action(async (own: ScanOptions) => {
      const { scan } = await import('../actions/scan.js');
      await scan({ ...deviceOptions(command), ...own });
    });
  return withExamples(
    withForce(withSourceOptions(withDeviceOptions(command))),
    'azimuth scan --device http://192.168.0.1',
    'azimuth scan --aim --range 10',
    'azimuth scan --png gate3.png --csv gate3.csv',
    'azimuth scan --listen 2115 --json --count 100 > frames.jsonl',
  );
}
