import { allVariables, type Variable } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import { withNamedScanner } from '../legacy/named-scanner.js';
import { variableNamed } from '../name.js';
import { linesOf, type NaturalForm, naturalForm } from '../natural-form.js';
import type { DeviceOptions } from '../options.js';
import { sideBySide } from '../side-by-side.js';

/** A scanner answers a few at once well, and many with HTTP 429. */
const atOnce = 4;

export interface GetOptions extends DeviceOptions {
  readonly all?: boolean;
}

interface Reading {
  readonly name: string;
  readonly variable: Variable<unknown>;
  readonly json: unknown;
}

/** Reads variables and prints them: one alone as its bare value, several as rows, or one JSON object. */
export async function get(names: readonly string[], options: GetOptions): Promise<void> {
  if (options.all === true && names.length > 0)
    throw new CommandFailure('names and --all exclude each other');
  if (options.all !== true && names.length === 0) throw new CommandFailure('name a variable, or give --all');
  const readings = options.all === true ? await readAll(options) : await readNamed(names, options);
  process.stdout.write(`${options.json === true ? asJson(readings) : asText(readings, names)}\n`);
}

async function readNamed(names: readonly string[], options: DeviceOptions): Promise<Reading[]> {
  const wanted = names.map((name) => ({ name, variable: variableNamed(name) }));
  return withNamedScanner(options, (scanner) =>
    sideBySide(atOnce, wanted, async ({ name, variable }) => ({
      name,
      variable,
      json: await scanner.readAny(name),
    })),
  );
}

/** All that the scanner has. What it does not know belongs to another release or variant, and is left out. */
async function readAll(options: DeviceOptions): Promise<Reading[]> {
  const readings = await withNamedScanner(options, (scanner) =>
    sideBySide(atOnce, allVariables, async (variable): Promise<Reading[]> => {
      const { name } = variable;
      try {
        return [{ name, variable, json: await scanner.readAny(name) }];
      } catch (error) {
        if (!scanner.lacks(error)) throw error;
        return [];
      }
    }),
  );
  return readings.flat();
}

function asJson(readings: readonly Reading[]): string {
  return JSON.stringify(Object.fromEntries(readings.map(({ name, json }) => [name, json])));
}

function asText(readings: readonly Reading[], names: readonly string[]): string {
  const forms = readings.map(({ name, variable, json }): [string, NaturalForm] => [
    name,
    naturalForm(variable.type.shape, json),
  ]);
  const [first] = forms;
  return linesOf(names.length === 1 && first !== undefined ? first[1] : forms).join('\n');
}
