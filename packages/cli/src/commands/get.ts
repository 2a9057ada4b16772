import { allVariables, concurrently, type Variable } from '@azimuth/model';
import { Command } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { withNamedScanner } from '../connection.js';
import { variableNamed } from '../endpoint-names.js';
import { type FormattedValue, formatValue, linesOf } from '../format-value.js';
import type { NamedScanner } from '../legacy-connection.js';
import { type DeviceOptions, deviceOptions, withDeviceOptions, withExamples } from '../options.js';
import { eachScanner } from '../targets/each-scanner.js';

export function getCommand(): Command {
  const command = new Command('get')
    .description('Read variables. If you read only one, its value is printed without its name.')
    .argument('[name...]', 'names of the variables')
    .option('--all', 'read all variables that the scanner has')
    .action(async (names: string[]) => {
      await get(names, deviceOptions(command));
    });
  return withExamples(
    withDeviceOptions(command),
    'azimuth get LocationName',
    'azimuth get EtherIPAddress EtherIPMask --device http://192.168.0.1',
    'azimuth get @hall/* LocationName    (all scanners of a group of azimuth devices)',
    'azimuth get DeviceIdent --device cola://192.168.0.1    (over legacy interface A; colab:// for B)',
    'azimuth get --all --json > scanner.json',
    'azimuth get x/stored    (all stored values)',
  );
}

/** A scanner answers a few at once well, and many with HTTP 429. */
const atOnce = 4;

interface GetOptions extends DeviceOptions {
  readonly all?: boolean;
}

interface Wanted {
  readonly name: string;
  readonly variable: Variable<unknown>;
}

interface Reading extends Wanted {
  readonly json: unknown;
}

/** Reads variables and prints them: one alone as its bare value, several as rows, or one JSON object. */
async function get(names: readonly string[], options: GetOptions): Promise<void> {
  if (options.all === true && names.length > 0) throw new CommandFailure('give names or --all, not both');
  if (options.all !== true && names.length === 0) throw new CommandFailure('name a variable, or give --all');
  const wanted = names.map((name) => ({ name, variable: variableNamed(name) }));
  await eachScanner(options, async (target, output) => {
    const readings = await withNamedScanner(target, (scanner) =>
      options.all === true ? readAll(scanner) : readNamed(wanted, scanner),
    );
    await output.print(asObject(readings), () => asLines(readings, names));
  });
}

async function readNamed(wanted: readonly Wanted[], scanner: NamedScanner): Promise<Reading[]> {
  return concurrently(atOnce, wanted, async ({ name, variable }) => ({
    name,
    variable,
    json: await scanner.readAny(name),
  }));
}

/** All that the scanner has. What it does not know belongs to another release or variant, and is left out. */
async function readAll(scanner: NamedScanner): Promise<Reading[]> {
  const readings = await concurrently(atOnce, allVariables, async (variable): Promise<Reading[]> => {
    const { name } = variable;
    try {
      return [{ name, variable, json: await scanner.readAny(name) }];
    } catch (error) {
      if (!scanner.lacks(error)) throw error;
      return [];
    }
  });
  return readings.flat();
}

function asObject(readings: readonly Reading[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(readings.map(({ name, json }) => [name, json]));
}

function asLines(readings: readonly Reading[], names: readonly string[]): readonly string[] {
  const forms = readings.map(({ name, variable, json }): [string, FormattedValue] => [
    name,
    formatValue(variable.type.shape, json),
  ]);
  const [first] = forms;
  return linesOf(names.length === 1 && first !== undefined ? first[1] : forms);
}
