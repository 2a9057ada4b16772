import { NotDoneError } from '@azimuth/client';
import { isObject } from '@azimuth/model';
import type { Command, DeviceOptions } from '../options/command.js';
import { withNamedScanner } from '../scanners/connection.js';
import { eachScanner } from '../scanners/each-scanner.js';
import { methodNamed } from '../values/endpoint-names.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Save the working parameters, so that a scanner keeps them after a power cut. This saves all changes, also those of others: azimuth unsaved lists them.',
    )
    .action(() => save(command.allOptions()))
    .withDeviceOptions()
    .withExamples('azimuth save', 'azimuth save @hall/*');
}

/** Saves the working parameters of each scanner. */
async function save(options: DeviceOptions): Promise<void> {
  const name = 'WriteEeprom';
  await eachScanner(options, async (target, output) => {
    const response = await withNamedScanner(target, async (scanner) =>
      (await scanner.loggedIn()).callAny(name),
    );
    const refusal = methodNamed(name).refusalIn(isObject(response) ? response : {});
    if (refusal !== undefined) throw NotDoneError.refused(name, refusal, 'nothing was saved');
    await output.print({ saved: true }, () => []);
    output.done('saved');
  });
}
