import { type Edition, endpointsOf, type Shape, type Variable } from '@azimuth/model';
import { array, number, object, string } from '@azimuth/test-support/json';

/** The variables that a scanner of this edition serves, each once or under every alias. */
export function variablesOf(edition: Edition): Variable<unknown>[] {
  return [...endpointsOf(edition).values()].filter((endpoint) => endpoint.kind === 'variable');
}

/** Whether a type has one value only, so that a write changes nothing. */
export function isFixed({ type: { shape } }: Variable<unknown>): boolean {
  return shape.kind === 'enumeration' && Object.values(shape.values).length === 1;
}

/** Another value than the factory's for each variable that can be written, if there is another. */
export function otherValues(edition: Edition): Map<string, unknown> {
  const { release } = edition;
  const writable = variablesOf(edition).filter(({ facts }) => facts.write !== undefined);
  return new Map(
    writable.map((variable) => [
      variable.name,
      otherValue(variable.type.shape, variable.factoryValue({ release, createdWith: release })),
    ]),
  );
}

/**
 * A valid value that differs from `present` wherever it can, by the least: the neighbour of a number, the other
 * boolean, the next of an enumeration, one character or one item more.
 */
export function otherValue(shape: Shape, present: unknown): unknown {
  switch (shape.kind) {
    case 'boolean':
      return present !== true;
    case 'integer': {
      const value = number(present);
      return value > shape.minimum ? value - 1 : Math.min(value + 1, shape.maximum);
    }
    case 'enumeration':
      return after(Object.values(shape.values), present);
    case 'levelName':
      return after(['Maintenance', 'AuthorizedClient', 'Service'], present);
    case 'float': {
      const value = number(present);
      return value + 0.5 <= shape.maximum ? value + 0.5 : value - 0.5;
    }
    case 'string':
      return otherText(shape, string(present));
    case 'address':
      return otherAddress(array(present).map(number));
    case 'array': {
      const items = array(present).map((item) => otherValue(shape.of, item));
      return items.length < shape.maxItems ? [...items, someValue(shape.of)] : items;
    }
    case 'struct': {
      const value = object(present);
      const members = Object.entries(shape.members);
      return Object.fromEntries(
        members.map(([name, member]) => [name, otherValue(member.shape, value[name])]),
      );
    }
  }
}

/** A valid value, where there is none to start from. */
function someValue(shape: Shape): unknown {
  switch (shape.kind) {
    case 'boolean':
      return true;
    case 'integer':
    case 'float':
      return Math.min(Math.max(1, shape.minimum), shape.maximum);
    case 'enumeration':
      return Object.values(shape.values)[0];
    case 'levelName':
      return 'Service';
    case 'string':
      return shape.minLength === 4 && shape.maxLength === 4 ? outputSource : 'x'.repeat(shape.minLength);
    case 'address':
      return Array.from({ length: shape.length }, () => 1);
    case 'array':
      return Array.from({ length: shape.minItems }, () => someValue(shape.of));
    case 'struct':
      return Object.fromEntries(
        Object.entries(shape.members).map(([name, member]) => [name, someValue(member.shape)]),
      );
  }
}

/** What a scanner may be told that an output follows: the only texts of exactly four characters are such codes. */
const outputSource = 'DRDY';

function after(values: readonly unknown[], present: unknown): unknown {
  return values[(values.indexOf(present) + 1) % values.length];
}

function otherText(shape: Shape & { kind: 'string' }, present: string): string {
  if (shape.minLength === 4 && shape.maxLength === 4) return outputSource;
  if (present.length < shape.maxLength) return `${present}x`;
  return present.slice(0, -1) + (present.endsWith('x') ? 'y' : 'x');
}

/** The third number changes: so a mask stays one, and a host stays a host. */
function otherAddress(present: readonly number[]): number[] {
  const third = present[2] ?? 0;
  return present.with(2, third > 0 ? third - 1 : third + 1);
}
