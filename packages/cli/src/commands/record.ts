import { Command, Option } from 'commander';
import type { RecordOptions } from '../actions/record.js';
import { deviceOptions, withDeviceOptions, withExamples } from '../options.js';
import { withSourceOptions } from '../scan-data/options.js';
import { numberOption, wholeNumberOption } from '../serve/option-values.js';
import { withForce, withProgress } from '../transfers/options.js';

export function recordCommand(): Command {
  const command = new Command('record')
    .summary("record a scanner's data streams")
    .description(
      'Record scan, IMU and encoder data into a file as it comes, until Ctrl-C: a capture (pcap) for a name that ends in .pcap, else a recording of our own.',
    )
    .argument('<file>', 'where to; - for standard output')
    .addOption(new Option('--seconds <number>', 'end after so long').argParser(numberOption(0.1, 1e9)))
    .addOption(
      new Option('--frames <number>', 'end after so many whole frames').argParser(
        wholeNumberOption(1, 1_000_000_000),
      ),
    )
    .action(async (file: string, own: RecordOptions) => {
      const { record } = await import('../actions/record.js');
      await record(file, { ...deviceOptions(command), ...own });
    });
  return withExamples(
    withProgress(withForce(withSourceOptions(withDeviceOptions(command)))),
    'azimuth record hall.azrec --device http://192.168.0.1',
    'azimuth record hall.pcap --aim --seconds 60',
    'azimuth record - --listen 2115 --listen 7503 --frames 100 | gzip > hall.azrec.gz',
  );
}
