import { currentValues, type Scanner, unsavedParameters } from '@azimuth/client';
import type { Command, DeviceOptions } from '../options/command.js';
import { describeFailures } from '../output/failures.js';
import { print } from '../output/output.js';
import { statusRows, statusVariables } from '../parameters/status-rows.js';
import { type ListedScanner, statusTable, tableVariables } from '../parameters/status-table.js';
import { scannerAt } from '../scanners/connection.js';
import { type Scanners, withScanners } from '../scanners/each-scanner.js';
import type { Target } from '../scanners/target.js';
import { formattedLines } from '../values/format-value.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Show on one screen who a scanner is, how it is, what is unsaved, and where its data goes. Several scanners are a table, those in trouble first; one that does not answer is there with the reason. No login is needed.',
    )
    .action(() => status(command.allOptions()))
    .withDeviceOptions()
    .withExamples(
      'azimuth status',
      'azimuth status --device http://192.168.0.1',
      'azimuth status @*    (a table)',
      'azimuth status @* --json',
    );
}

/** Shows the state of one scanner on a screen, of several in a table. With `--json`, the variables behind it. */
async function status(options: DeviceOptions): Promise<void> {
  await withScanners(options, async (scanners) => {
    if (scanners.several && options.json !== true) return showTable(scanners);
    await scanners.each(async (target, output) => {
      const scanner = scannerAt(target);
      const values = await currentValues(scanner, statusVariables);
      const paths = await unsavedPaths(scanner);
      await output.print({ url: scanner.url, unsaved: paths, ...Object.fromEntries(values) }, () =>
        formattedLines(statusRows(values, paths, scanner.description.known)),
      );
    });
  });
}

/** Prints a line for each scanner, also for one that does not answer. */
async function showTable(scanners: Scanners): Promise<void> {
  const listed = new Map<Target, ListedScanner>();
  await scanners.each(async (target) => {
    const { label } = target;
    try {
      const scanner = scannerAt(target);
      const values = await currentValues(scanner, tableVariables);
      listed.set(target, { label, values, at: new Date(), unsaved: await unsavedPaths(scanner) });
    } catch (error) {
      const { failures } = await describeFailures(error);
      listed.set(target, { label, failure: failures[0]?.line ?? '' });
      throw error;
    }
  });
  const rows = scanners.targets.flatMap((target) => listed.get(target) ?? []);
  const coloured = process.stdout.isTTY === true && !process.env.NO_COLOR;
  await print(`${statusTable(rows, coloured).join('\n')}\n`);
}

/** Returns null if the scanner does not report what is unsaved. */
async function unsavedPaths(scanner: Scanner): Promise<readonly string[] | null> {
  const unsaved = await unsavedParameters(scanner);
  return unsaved?.map(({ path }) => path) ?? null;
}
