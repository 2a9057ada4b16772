import { Command, Option } from 'commander';
import type { WatchOptions } from '../actions/watch.js';
import { deviceOptions, withDeviceOptions, withExamples } from '../options.js';
import { numberOption, wholeNumberOption } from '../serve/option-values.js';

export function watchCommand(): Command {
  const command = new Command('watch')
    .summary('print values as they change')
    .description(
      'Print values as a scanner pushes them (releases from 2.3.1 on): what they are, then every change, a line each, until Ctrl-C. Where the connection is lost, it goes on when the scanner is back.',
    )
    .argument('[event...]', 'what to watch: DeviceStatus, FieldEvaluationResult, …')
    .option('--all', 'watch everything that the scanner pushes')
    .addOption(
      new Option('--count <events>', 'end after so many lines').argParser(
        wholeNumberOption(1, 1_000_000_000),
      ),
    )
    .addOption(
      new Option(
        '--throttle <ms>',
        'have the scanner leave so long between two values of an event',
      ).argParser(wholeNumberOption(0, 86_400_000)),
    )
    .addOption(new Option('--timeout <seconds>', 'end after so long').argParser(numberOption(0.1, 1e6)))
    .action(async (names: string[], own: WatchOptions) => {
      const { watch } = await import('../actions/watch.js');
      await watch(names, { ...deviceOptions(command), ...own });
    });
  return withExamples(
    withDeviceOptions(command),
    'azimuth watch DeviceStatus',
    'azimuth watch FieldEvaluationResult InputState --device http://192.168.0.1',
    'azimuth watch --all --throttle 1000 --json >> events.jsonl',
    'azimuth watch DeviceStatus --count 2 --timeout 60',
  );
}
