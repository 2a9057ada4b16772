import { type ParameterDifference, unsavedParameters } from '@azimuth/client';
import { CommandFailure, exitCodes } from '../command-failure.js';
import type { Command, DeviceOptions } from '../options/command.js';
import { valueText } from '../parameters/parameter-source.js';
import { scannerAt } from '../scanners/connection.js';
import { withScanners } from '../scanners/each-scanner.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      `List the parameters that a power cut would change, because they are not saved. If there are any, the exit code is ${exitCodes.differs.code}. Only virtual scanners tell what they have saved.`,
    )
    .action(() => unsaved(command.allOptions()))
    .withDeviceOptions()
    .withExamples('azimuth unsaved', 'azimuth unsaved @* --json');
}

/** Lists the unsaved parameters of each scanner. */
async function unsaved(options: DeviceOptions): Promise<void> {
  await withScanners(options, async (scanners) => {
    const differences = await scanners.each(async (target, output) => {
      const differences = await unsavedParameters(scannerAt(target));
      if (differences === undefined) throw new CommandFailure(notReported(target.url), 'refused');
      await output.print(
        differences.map(({ path, from, to }) => ({ path, working: from, saved: to })),
        () => differences.map(differenceLine),
      );
      if (differences.length === 0) output.done('everything is saved');
      return differences.length;
    });
    if ([...differences.values()].some((count) => count > 0)) process.exitCode = exitCodes.differs.code;
  });
}

function notReported(url: string): string {
  return `${url} does not tell what it has saved, as real scanners. Compare it with a backup that you made after saving: azimuth diff FILE`;
}

function differenceLine(difference: ParameterDifference): string {
  const { path, from, to } = difference;
  return `${path} = ${valueText(difference, from)}  (saved: ${valueText(difference, to)})`;
}
