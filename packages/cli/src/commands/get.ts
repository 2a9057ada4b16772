import { concurrently } from '@azimuth/async';
import type { KnownInterface, NamedVariable } from '@azimuth/model';
import { CommandFailure, type ExitCode } from '../command-failure.js';
import type { Command, DeviceOptions } from '../options/command.js';
import { WordArgument } from '../options/word-argument.js';
import { commonExitCode, describeFailures } from '../output/failures.js';
import { withNamedScanner } from '../scanners/connection.js';
import { asDescribed, describedBy } from '../scanners/described.js';
import { withScanners } from '../scanners/each-scanner.js';
import type { NamedScanner } from '../scanners/legacy-connection.js';
import type { Target } from '../scanners/target.js';
import { isPattern, variableNamed, variablesMatching } from '../values/endpoint-names.js';
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
  requireOneWay(names, options);
  const [first] = names;
  const bare = names.length === 1 && first !== undefined && !isPattern(first);
  await withScanners(options, async (scanners) => {
    const { targets } = scanners;
    const known = names.some(isPattern) ? await describedBy(targets) : undefined;
    const choice = await namedVariables(names, targets, known);
    if (choice.wanted.length === 0 && choice.unknown.length > 0) {
      throw await MissingVariables.of(choice.unknown);
    }
    await scanners.each(async (target, output) => {
      const { wanted, unknown } = names.length > 0 ? choice : await allOf(target, options);
      const { readings, missing } = await withNamedScanner(target, (scanner) => read(wanted, scanner));
      if (readings.length > 0 || missing.length === 0)
        await output.print(asObject(readings), () => asLines(readings, bare));
      if (missing.length + unknown.length > 0) throw await MissingVariables.of([...missing, ...unknown]);
    });
  });
}

interface Choice {
  readonly wanted: readonly RequestedVariable[];
  /** Errors for names that mean no variable of any release. */
  readonly unknown: readonly CommandFailure[];
}

/** @throws CommandFailure for no names, or for several ways to name variables */
function requireOneWay(names: readonly string[], { all = false, parameters = false }: GetOptions): void {
  const ways = [names.length > 0, all, parameters].filter((given) => given).length;
  if (ways > 1) throw new CommandFailure('give names, --all or --parameters, not both');
  if (ways === 0) throw new CommandFailure('name a variable, or give --all or --parameters');
}

/** Returns all variables or parameters of a scanner, also those that only the scanner knows. */
async function allOf(target: Target, { all = false }: GetOptions): Promise<Choice> {
  const known = await describedBy([target]);
  const names = all
    ? known.variables.map((variable) => ({ name: variable.name, variable }))
    : known.parameters;
  const wanted = names.filter(({ name }) => !known.lacks(name)).map((each) => ({ ...each, named: false }));
  return { wanted, unknown: [] };
}

/**
 * Returns the variables of names and patterns.
 * @param described what the scanners describe; undefined if it is not known yet
 * @throws CommandFailure for a wrong pattern
 */
async function namedVariables(
  names: readonly string[],
  targets: readonly Target[],
  described: KnownInterface | undefined,
): Promise<Choice> {
  const wanted = new Map<string, RequestedVariable>();
  const unknown: CommandFailure[] = [];
  for (const name of names) {
    for (const each of await matchingVariables(name, targets, described, unknown)) {
      const named = !isPattern(name) || wanted.get(each.name)?.named === true;
      wanted.set(each.name, { ...each, named });
    }
  }
  return { wanted: [...wanted.values()], unknown };
}

/** Returns the variables of a name or a pattern. Adds a name without a variable to `unknown`. */
async function matchingVariables(
  name: string,
  targets: readonly Target[],
  described: KnownInterface | undefined,
  unknown: CommandFailure[],
): Promise<readonly NamedVariable[]> {
  if (isPattern(name)) return variablesMatching(name, described);
  try {
    return [{ name, variable: await asDescribed(targets, (known) => variableNamed(name, known)) }];
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
