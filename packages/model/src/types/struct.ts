import { describeJson, isObject, Refusal } from '../envelope.js';
import { integer } from './integer.js';
import type { Member, TypeOf, ValueType } from './value-type.js';

export type Members = Readonly<Record<string, ValueType<unknown>>>;

/** Value of a struct: each member under its name. */
export type StructOf<M extends Members> = { readonly [K in keyof M]: TypeOf<M[K]> };

interface StructOptions<M extends Members> {
  /** Members that a request may leave out. Their default is then used. */
  readonly optional?: readonly (keyof M & string)[] | undefined;
  /** Defaults that differ from those of the members' types. */
  readonly initial?: Partial<StructOf<M>> | undefined;
}

/**
 * Named members, on the legacy wires in the order of declaration without anything between them. A missing member gets
 * status 1, and is found before an unknown one. An unknown member gets status 2, as another JSON type does.
 */
export function struct<const M extends Members>(
  members: M,
  options: StructOptions<M> = {},
): ValueType<StructOf<M>> {
  const { optional = [] } = options;
  const entries = Object.entries(members);
  const defaults: Readonly<Record<string, unknown>> = { ...options.initial };
  const initialOf = (name: string, type: ValueType<unknown>) =>
    Object.hasOwn(defaults, name) ? defaults[name] : type.initial;

  /** Names every member once, with the function that gives its value. So the result has exactly these members. */
  function build(memberOf: (name: string, type: ValueType<unknown>) => unknown): StructOf<M> {
    const value: Record<string, unknown> = {};
    for (const [name, type] of entries) value[name] = memberOf(name, type);
    assertComplete(value);
    return value;
  }

  function assertComplete(value: Record<string, unknown>): asserts value is StructOf<M> {
    if (Object.keys(value).length !== entries.length) throw new TypeError('a struct lacks members');
  }

  function checkNames(json: Record<string, unknown>, at: string): void {
    for (const [name] of entries) {
      if (!Object.hasOwn(json, name) && !optional.includes(name)) {
        throw new Refusal('parsingFailed', join(at, name), 'required member missing');
      }
    }
    for (const name of Object.keys(json)) {
      if (!Object.hasOwn(members, name))
        throw new Refusal('invalidData', at, `unknown member ${shown(name)}`);
    }
  }

  return {
    shape: {
      kind: 'struct',
      members: Object.fromEntries(
        entries.map(([name, type]): [string, Member] => [
          name,
          { shape: type.shape, initial: initialOf(name, type), optional: optional.includes(name) },
        ]),
      ),
    },
    initial: build(initialOf),
    fromJson(json, at) {
      if (!isObject(json))
        throw new Refusal('invalidData', at, `expected an object, got ${describeJson(json)}`);
      checkNames(json, at);
      return build((name, type) =>
        Object.hasOwn(json, name) ? type.fromJson(json[name], join(at, name)) : initialOf(name, type),
      );
    },
    toText(value, out) {
      for (const [name, type] of entries) type.toText(value[name], out);
    },
    fromText: (input, at) => build((name, type) => type.fromText(input, join(at, name))),
    toBinary(value, out) {
      for (const [name, type] of entries) type.toBinary(value[name], out);
    },
    fromBinary: (input, at) => build((name, type) => type.fromBinary(input, join(at, name))),
  };
}

function join(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}

/** Returns a member's name as a caller wrote it, cut short: it goes into a header. */
function shown(name: string): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}

/** Calendar date and time of the device's clock, to the microsecond. */
export function dateTime() {
  return struct({
    uiYear: integer('uint16', { maximum: 2105 }),
    usiMonth: integer('uint8', { maximum: 12, initial: 1 }),
    usiDay: integer('uint8', { maximum: 31, initial: 1 }),
    usiHour: integer('uint8', { maximum: 23 }),
    usiMinute: integer('uint8', { maximum: 59 }),
    usiSec: integer('uint8', { maximum: 59 }),
    udiUSec: integer('uint32', { maximum: 999_999 }),
  });
}

export type DateTime = TypeOf<ReturnType<typeof dateTime>>;
