import { currentValues, unsavedParameters } from '@azimuth/client';
import type { Command, DeviceOptions } from '../options/command.js';
import { statusRows, statusVariables } from '../parameters/status-rows.js';
import { scannerAt } from '../scanners/connection.js';
import { eachScanner } from '../scanners/each-scanner.js';
import { formattedLines } from '../values/format-value.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Show on one screen who a scanner is, how it is, what is unsaved, and where its data goes. No login is needed.',
    )
    .action(() => status(command.allOptions()))
    .withDeviceOptions()
    .withExamples('azimuth status', 'azimuth status --device http://192.168.0.1', 'azimuth status @* --json');
}

/** Shows the state of each scanner. With `--json`, the variables behind it. */
async function status(options: DeviceOptions): Promise<void> {
  await eachScanner(options, async (target, output) => {
    const scanner = scannerAt(target);
    const values = await currentValues(scanner, statusVariables);
    const unsaved = await unsavedParameters(scanner);
    const paths = unsaved?.map(({ path }) => path) ?? null;
    await output.print({ url: scanner.url, unsaved: paths, ...Object.fromEntries(values) }, () =>
      formattedLines(statusRows(values, paths, scanner.description.known)),
    );
  });
}
