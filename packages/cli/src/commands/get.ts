import { concurrently } from '@azimuth/async';
import { allVariables } from '@azimuth/model';
import { CommandFailure, type ExitCode } from '../command-failure.js';
import type { Command, DeviceOptions } from '../options/command.js';
import { WordArgument } from '../options/word-argument.js';
import { commonExitCode, describeFailures } from '../output/failures.js';
import { withNamedScanner } from '../scanners/connection.js';
import { eachScanner } from '../scanners/each-scanner.js';
import type { NamedScanner } from '../scanners/legacy-connection.js';
import {
  isPattern,
  type NamedVariable,
  namedParameters,
  variableNamed,
  variablesMatching,
} from '../values/endpoint-names.js';
import { type FormattedValue, formattedLines, formatValue } from '../values/format-value.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Read variables. What the scanner does not have of several is told at the end. If you read only one, its value is printed without its name. Units stand behind the numbers, but a lone number has one at a terminal only.',
    )
    .addArgument(
      new WordArgument(
        '[name...]',
        "names of the variables, or patterns such as 'Ether*' (in quotes)",
        'variable',
      ),
    )
    .option('--all', 'read all variables that the scanner has')
    .option('--parameters', 'read all parameters: what the scanner stores')
    .action((names: string[]) => get(names, command.allOptions()))
    .withDeviceOptions()
    .withExamples(
      'azimuth get LocationName',
      'azimuth get EtherIPAddress EtherIPMask --device http://192.168.0.1',
      "azimuth get 'Ether*'",
      'azimuth get @hall/* LocationName    (all scanners of a group of azimuth devices)',
      'azimuth get DeviceIdent --device cola://192.168.0.1    (over legacy interface A; colab:// for B)',
      'azimuth get --all --json > scanner.json',
      'azimuth get x/stored    (all stored values)',
    );
}

/** Number of reads at the same time: a scanner answers many with HTTP 429. */
const atOnce = 4;

interface GetOptions extends DeviceOptions {
  readonly all?: boolean;
  readonly parameters?: boolean;
}

interface RequestedVariable extends NamedVariable {
  /** True if it was named itself, and not only by a pattern. Then it is an error if the scanner lacks it. */
  readonly named: boolean;
}

interface Reading extends NamedVariable {
  readonly json: unknown;
}

/** Reads variables and prints them: a single one as its bare value, several as rows, or one JSON object. */
async function get(names: readonly string[], options: GetOptions): Promise<void> {
  const { wanted, unknown } = requestedVariables(names, options);
  if (wanted.length === 0 && unknown.length > 0) throw await MissingVariables.of(unknown);
  const bare = names.length === 1 && wanted[0]?.named === true;
  await eachScanner(options, async (target, output) => {
    const { readings, missing } = await withNamedScanner(target, (scanner) => read(wanted, scanner));
    if (readings.length > 0 || missing.length === 0)
      await output.print(asObject(readings), () => asLines(readings, bare));
    if (missing.length + unknown.length > 0) throw await MissingVariables.of([...missing, ...unknown]);
  });
}

interface Choice {
  readonly wanted: readonly RequestedVariable[];
  /** Errors for names that mean no variable of any release. */
  readonly unknown: readonly CommandFailure[];
}

/** @throws CommandFailure for no names, or for a wrong pattern */
function requestedVariables(
  names: readonly string[],
  { all = false, parameters = false }: GetOptions,
): Choice {
  const ways = [names.length > 0, all, parameters].filter((given) => given).length;
  if (ways > 1) throw new CommandFailure('give names, --all or --parameters, not both');
  if (ways === 0) throw new CommandFailure('name a variable, or give --all or --parameters');
  const unnamed = (each: NamedVariable): RequestedVariable => ({ ...each, named: false });
  if (all)
    return {
      wanted: allVariables.map((variable) => unnamed({ name: variable.name, variable })),
      unknown: [],
    };
  if (parameters) return { wanted: namedParameters.map(unnamed), unknown: [] };
  const wanted = new Map<string, RequestedVariable>();
  const unknown: CommandFailure[] = [];
  for (const name of names) {
    for (const each of matchingVariables(name, unknown)) {
      const named = !isPattern(name) || wanted.get(each.name)?.named === true;
      wanted.set(each.name, { ...each, named });
    }
  }
  return { wanted: [...wanted.values()], unknown };
}

/** Returns the variables of a name or a pattern. Adds a name without a variable to `unknown`. */
function matchingVariables(name: string, unknown: CommandFailure[]): readonly NamedVariable[] {
  if (isPattern(name)) return variablesMatching(name);
  try {
    return [{ name, variable: variableNamed(name) }];
  } catch (error) {
    // A scanner in the wrong place: the request would go to another scanner.
    if (!(error instanceof CommandFailure) || name.startsWith('@')) throw error;
    unknown.push(error);
    return [];
  }
}

/** Named variables that the scanner does not have: a line for each. */
class MissingVariables extends CommandFailure {
  readonly #lines: readonly string[];

  private constructor(lines: readonly string[], exitCode: ExitCode) {
    super(lines.join('; '), exitCode);
    this.#lines = lines;
  }

  static async of(errors: readonly unknown[]): Promise<MissingVariables> {
    const failures = (await Promise.all(errors.map(describeFailures))).flatMap(({ failures }) => failures);
    return new MissingVariables(
      failures.map(({ line }) => line),
      commonExitCode(failures),
    );
  }

  override get lines(): readonly string[] {
    return this.#lines;
  }
}

/**
 * Reads the values, and the reasons why named ones are missing. Variables that only a pattern matched may belong to
 * another release or variant: they are left out if the scanner does not have them.
 */
async function read(
  wanted: readonly RequestedVariable[],
  scanner: NamedScanner,
): Promise<{ readonly readings: readonly Reading[]; readonly missing: readonly unknown[] }> {
  const missing = new Map<RequestedVariable, unknown>();
  const readings = await concurrently(atOnce, wanted, async (each): Promise<Reading[]> => {
    try {
      return [{ ...each, json: await scanner.readAny(each.name) }];
    } catch (error) {
      if (!scanner.lacks(error)) throw error;
      if (each.named) missing.set(each, error);
      return [];
    }
  });
  return { readings: readings.flat(), missing: wanted.flatMap((each) => missing.get(each) ?? []) };
}

function asObject(readings: readonly Reading[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(readings.map(({ name, json }) => [name, json]));
}

function asLines(readings: readonly Reading[], bare: boolean): readonly string[] {
  const [first] = readings;
  // A program that reads a single number needs only the number.
  const isForProgram = bare && typeof first?.json === 'number' && process.stdout.isTTY !== true;
  const forms = readings.map(({ name, variable, json }): [string, FormattedValue] => [
    name,
    formatValue(variable.type.shape, json, (member) => (isForProgram ? undefined : variable.unitOf(member))),
  ]);
  return formattedLines(bare ? (forms[0]?.[1] ?? []) : forms);
}
