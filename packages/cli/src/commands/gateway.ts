import { Option } from 'commander';
import { withKey, withStore } from '../database/database-options.js';
import { withNames } from '../fleet/fleet-options.js';
import type { GatewayCommandOptions } from '../fleet/run-gateway.js';
import type { Command } from '../options/command.js';
import { numberOption, portOption } from '../options/option-values.js';

/** `azimuth gateway`: the port of a fleet in a database. See docs/fleet-postgres.md. */
export function defineCommand(command: Command): Command {
  withNames(withKey(withStore(command)))
    .description(
      'Run a port for all scanners of the fleet in the database. It finds the worker of each, and keeps nothing: several can run side by side.',
    )
    .addOption(
      new Option('--host <address>', 'address at which it listens').default('127.0.0.1').env('AZIMUTH_HOST'),
    )
    .addOption(
      new Option('--port <port>', 'its port; 0: any free one')
        .default(8000)
        .env('AZIMUTH_PORT')
        .argParser(portOption),
    )
    .addOption(
      new Option('--tls-authority <file>', 'PEM of the authority of the certificates of workers').env(
        'AZIMUTH_TLS_AUTHORITY',
      ),
    )
    .addOption(
      new Option('--patience <seconds>', 'how long a request waits until a worker has its scanner')
        .default(15)
        .env('AZIMUTH_PATIENCE')
        .argParser(numberOption(0, 50)),
    )
    .option('--json', 'print the ready line and the log as JSON')
    .action(async () => {
      const { runGateway } = await import('../fleet/run-gateway.js');
      await runGateway(command.opts<GatewayCommandOptions>());
    });
  return command.withExamples(
    'AZIMUTH_STORE=postgres://azimuth@db/azimuth AZIMUTH_FLEET_KEY=… azimuth gateway',
    'azimuth gateway --host 0.0.0.0 --allowed-host scanners.example.org',
  );
}
