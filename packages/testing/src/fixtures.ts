import type { Device } from '@azimuth/device';
import {
  type Edition,
  type ExtensionName,
  type ExtensionValueOf,
  extensionPrefix,
  parametersOf,
  Refusal,
  type ValueOf,
  type Variable,
  type VariableName,
} from '@azimuth/model';
import { nearestName } from '@azimuth/wording';

/** Values of parameters by name, as in the interface. Fields are `x/fields`. */
export type ParameterValues = { readonly [N in VariableName]?: ValueOf<N> | undefined } & {
  readonly [N in ExtensionName]?: ExtensionValueOf<N> | undefined;
};

/** Values that are checked, by the names of their variables. */
type Fixture = ReadonlyMap<Variable<unknown>, unknown>;

/**
 * Checks the values of an option against the release.
 * @throws RangeError for a name that is no parameter of the release, or a value that it refuses
 */
export function fixtureOf(option: string, values: object, edition: Edition): Fixture {
  const known = new Map(parametersOf(edition).map((variable) => [variable.name, variable]));
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return new Map(
    given.map(([name, value]) => {
      const variable = known.get(
        name.startsWith(extensionPrefix) ? name.slice(extensionPrefix.length) : name,
      );
      if (variable === undefined)
        throw new RangeError(`${option}: ${unknownText(name, edition, known.keys())}`);
      return [variable, refusedAs(option, () => variable.valueFrom(value))];
    }),
  );
}

function unknownText(name: string, { release, variant }: Edition, known: Iterable<string>): string {
  const near = nearestName(name, [...known]);
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  return `${name} is no parameter of release ${release}, variant ${variant}${hint}`;
}

/** The stored parameters of a new scanner. */
export function initialOf(fixture: Fixture): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Array.from(fixture, ([{ name }, value]) => [name, value]));
}

/**
 * Checks the stored values of a started scanner against each other.
 * @throws RangeError if they do not fit each other, or if its folder has other ones
 */
export function checkStored({ parameters }: Device, fixture: Fixture): void {
  refusedAs('stored', () => parameters.assertAllowed(initialOf(fixture)));
  for (const [variable, value] of fixture) {
    if (JSON.stringify(parameters.stored(variable)) === JSON.stringify(value)) continue;
    throw new RangeError(`stored: the folder was used before, and has another ${variable.name}`);
  }
}

/**
 * Sets the working values, all or none, and waits until they have taken effect.
 * @throws RangeError if the scanner refuses them
 */
export async function setWorking({ parameters }: Device, fixture: Fixture): Promise<void> {
  await refusedAs('parameters', () =>
    parameters.change((change) => {
      for (const [variable, value] of fixture) change.set(variable, value);
    }),
  );
}

/** @throws RangeError with the message of the Refusal that `act` throws */
function refusedAs<T>(option: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof Refusal ? new RangeError(`${option}: ${error.message}`) : error;
  }
}
