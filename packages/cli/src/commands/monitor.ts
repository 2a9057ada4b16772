import { Option } from 'commander';
import type { MonitorCommandOptions } from '../monitor/run-monitor.js';
import type { Command } from '../options/command.js';
import { collect, numberOption, portOption, wholeNumberOption } from '../options/option-values.js';

/** `azimuth monitor`: watches scanners. See docs/monitor.md. */
export function defineCommand(command: Command): Command {
  return command
    .description(
      'Watch scanners until Ctrl-C, by their public interface alone: whether they answer and work, and what changes. It serves metrics for Prometheus. A monitor file says what else it does; options win over the file.',
    )
    .argument('[file]', 'monitor file: scanners, limits, log, outputs')
    .addOption(
      new Option('--host <address>', 'address at which it listens (default: 127.0.0.1)').env('AZIMUTH_HOST'),
    )
    .addOption(
      new Option('--port <port>', 'its port; 0: any free one (default: 9464)')
        .env('AZIMUTH_PORT')
        .argParser(portOption),
    )
    .addOption(
      new Option(
        '--allowed-host <name>',
        'name by which its port may be requested, beside its addresses and names without a dot; .NAME for all names below it; several times',
      )
        .env('AZIMUTH_ALLOWED_HOST')
        .argParser(collect),
    )
    .addOption(
      new Option('--interval <seconds>', 'time between two looks at a scanner (default: 10)').argParser(
        numberOption(1, 3600),
      ),
    )
    .option(
      '--log <folder>',
      'keep the log in this folder (default: azimuth/log below ~/.local/state, env: AZIMUTH_LOG)',
    )
    .option(
      '--store <url>',
      'keep the log in this database: postgres://USER@HOST/DATABASE (env: AZIMUTH_LOG_STORE, with the password)',
    )
    .option('--name <name>', 'name of this monitor in the database (default: the name of this computer)')
    .addOption(
      new Option('--keep <days>', 'remove entries of the log that are older (default: 400)').argParser(
        wholeNumberOption(1, 36_500),
      ),
    )
    .option(
      '--archive <folder>',
      'keep a backup and the site file of each scanner there, each night; a commit for what changes if it is a git work tree',
    )
    .option('--site <file>', 'tell when a scanner differs from this site file')
    .option('--check', 'check the monitor file, and print what the monitor would do')
    .option('--test-outputs', 'send one entry through each output, and print what came back')
    .action(async (file: string | undefined) => {
      const { runMonitor } = await import('../monitor/run-monitor.js');
      await runMonitor(file, command.allOptions<MonitorCommandOptions>());
    })
    .withDeviceOptions()
    .withExamples(
      'azimuth monitor --device @*',
      'azimuth monitor monitor.yaml --check',
      'azimuth monitor monitor.yaml --test-outputs',
      'azimuth monitor --device http://192.168.0.1 --port 0 --json',
      'azimuth monitor --device @* --site hall.yaml --archive /var/lib/azimuth/archive',
      'azimuth monitor --device @* --log /var/lib/azimuth/log --keep 1000',
    );
}
