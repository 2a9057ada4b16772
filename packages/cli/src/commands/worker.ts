import { Option } from 'commander';
import { withKey, withStore } from '../database/database-options.js';
import { withFirmwareKey } from '../fleet/fleet-options.js';
import { maxScanners } from '../fleet/numbering.js';
import type { WorkerCommandOptions } from '../fleet/run-worker.js';
import type { Command } from '../options/command.js';
import { numberOption, portOption, wholeNumberOption } from '../options/option-values.js';

/** `azimuth worker`: runs scanners of a fleet in a database. See docs/fleet-postgres.md. */
export function defineCommand(command: Command): Command {
  withFirmwareKey(withKey(withStore(command)))
    .description(
      'Run scanners of the fleet that azimuth fleet apply has put into the database, together with other workers. A worker that ends hands its scanners over to the others.',
    )
    .addOption(
      new Option('--capacity <scanners>', 'scanners that it runs, at most (about: shards differ)')
        .default(5000)
        .env('AZIMUTH_CAPACITY')
        .argParser(wholeNumberOption(1, maxScanners)),
    )
    .addOption(
      new Option('--host <address>', 'address at which it listens for gateways')
        .default('127.0.0.1')
        .env('AZIMUTH_HOST'),
    )
    .addOption(
      new Option('--port <port>', 'port for gateways; 0: any free one')
        .default(9000)
        .env('AZIMUTH_PORT')
        .argParser(portOption),
    )
    .addOption(
      new Option('--advertise <url>', 'URL at which gateways reach it (default: from --host and --port)').env(
        'AZIMUTH_ADVERTISE',
      ),
    )
    .addOption(
      new Option('--tls-cert <file>', 'PEM of the certificate for its port, with the chain').env(
        'AZIMUTH_TLS_CERT',
      ),
    )
    .addOption(new Option('--tls-key <file>', 'PEM of the private key').env('AZIMUTH_TLS_KEY'))
    .addOption(
      new Option(
        '--lease <seconds>',
        'seconds after the last renewal until other workers may take its scanners',
      )
        .default(7)
        .env('AZIMUTH_LEASE')
        .argParser(numberOption(1, 300)),
    )
    .addOption(
      new Option('--boot-time <seconds>', 'how long a reboot takes')
        .default(2)
        .argParser(numberOption(0, 3600)),
    )
    .option('--json', 'print the ready line and the log as JSON')
    .action(async () => {
      const { runWorker } = await import('../fleet/run-worker.js');
      await runWorker(command.opts<WorkerCommandOptions>());
    });
  return command.withExamples(
    'AZIMUTH_STORE=postgres://azimuth@db/azimuth AZIMUTH_FLEET_KEY=… azimuth worker',
    'azimuth worker --store postgres://azimuth@db/azimuth --key-file /run/secrets/fleet-key --capacity 2000',
    'azimuth worker --host 0.0.0.0 --advertise http://10.0.0.7:9000',
  );
}
