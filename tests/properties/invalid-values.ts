import type { Shape } from '@azimuth/model';
import fc from 'fast-check';
import { validValue } from './valid-values.js';

/** A value that a shape does not allow, with the status that it is refused with. */
export interface Invalid {
  readonly json: unknown;
  readonly status: number;
}

const missing = 1;
const wrongType = 2;
const outOfRange = 6;
const wrongLength = 7;
const illegal = 9;

/** Values that a shape refuses, each with its status: one thing is wrong with it, at any depth. */
export function invalidValue(shape: Shape): fc.Arbitrary<Invalid> {
  switch (shape.kind) {
    case 'boolean':
      return refused(wrongType, 0, 1, 'true', null, [], {});
    case 'integer':
      return fc.oneof(
        refused(wrongType, '1', true, null, [], {}, shape.minimum + 0.5),
        refused(outOfRange, shape.minimum - 1, Number.POSITIVE_INFINITY, -1e300, 2 ** 60 * 100),
        shape.maximum < Number.MAX_SAFE_INTEGER
          ? refused(outOfRange, shape.maximum + 1)
          : fc.constant(tooLarge),
      );
    case 'enumeration':
      return fc.oneof(
        refused(wrongType, '0', false, null, [], {}, 0.5),
        refused(illegal, -1, 4_294_967_296, 1e300, Math.max(...Object.values(shape.values)) + 1),
      );
    case 'levelName':
      return refused(wrongType, 4, null, [], {});
    case 'float':
      return fc.oneof(
        refused(wrongType, '1.5', false, null, [], {}),
        refused(outOfRange, 1e39, -1e39, Number.POSITIVE_INFINITY),
        refused(outOfRange, ...justOutside(shape.minimum, shape.maximum)),
      );
    case 'string':
      return fc.oneof(
        refused(wrongType, 5, true, null, [], {}, '\u0000', 'a\u001bb', '\ud800', 'x\udc00'),
        refused(wrongLength, 'x'.repeat(shape.maxLength + 1), '😀'.repeat(shape.maxLength + 1)),
        ...(shape.minLength > 0 ? [refused(wrongLength, 'x'.repeat(shape.minLength - 1))] : []),
      );
    case 'address':
      return fc.oneof(
        refused(wrongType, '192.168.0.1', null, {}, 5),
        refused(wrongLength, [], [1, 2, 3], [1, 2, 3, 4, 5, 6, 7]),
        refused(outOfRange, bytes(shape.length, 256), bytes(shape.length, -1)),
        refused(wrongType, bytes(shape.length, 0.5), bytes(shape.length, '1')),
      );
    case 'array':
      return invalidArray(shape);
    case 'struct':
      return invalidStruct(shape);
  }
}

/** Numbers outside a range of floats: half as far again, and so near that only their last digits tell. */
function justOutside(minimum: number, maximum: number): number[] {
  return [minimum - far(minimum), minimum - near(minimum), maximum + near(maximum), maximum + far(maximum)];
}

function far(end: number): number {
  return end === 0 ? 0.5 : Math.abs(end) / 2;
}

function near(end: number): number {
  return end === 0 ? 1e-9 : Math.abs(end) * 1e-9;
}

const tooLarge: Invalid = { json: 2 ** 60, status: outOfRange };

function refused(status: number, ...values: readonly unknown[]): fc.Arbitrary<Invalid> {
  return fc.constantFrom(...values).map((json) => ({ json, status }));
}

function bytes(length: number, last: unknown): readonly unknown[] {
  return [...Array.from({ length: length - 1 }, () => 1), last];
}

function invalidArray({ of, minItems, maxItems }: Shape & { kind: 'array' }): fc.Arbitrary<Invalid> {
  const tooMany = validValue(of).map((item) => ({
    json: Array.from({ length: maxItems + 1 }, () => item),
    status: wrongLength,
  }));
  const tooFew = validValue(of).map((item) => ({
    json: Array.from({ length: minItems - 1 }, () => item),
    status: wrongLength,
  }));
  const wrongItem = fc
    .tuple(
      fc.array(validValue(of), { minLength: Math.max(minItems, 1), maxLength: Math.max(minItems, 3) }),
      invalidValue(of),
      fc.nat(),
    )
    .map(([items, { json, status }, at]) => ({ json: items.with(at % items.length, json), status }));
  const choices = [refused(wrongType, 'x', 5, null, {}), tooMany, wrongItem];
  return fc.oneof(...choices, ...(minItems > 0 ? [tooFew] : []));
}

function invalidStruct(shape: Shape & { kind: 'struct' }): fc.Arbitrary<Invalid> {
  const names = Object.keys(shape.members);
  const whole = validValue(shape).filter(isRecord);
  const lacking = fc
    .tuple(whole, fc.constantFrom(...names))
    .map(([value, name]) => ({ json: without(value, name), status: missing }));
  const unknown = whole.map((value) => ({ json: { ...value, Unknown: 1 }, status: wrongType }));
  const both = fc
    .tuple(whole, fc.constantFrom(...names))
    .map(([value, name]) => ({ json: { ...without(value, name), Unknown: 1 }, status: missing }));
  const wrongMember = fc
    .constantFrom(...Object.entries(shape.members))
    .chain(([name, member]) =>
      fc
        .tuple(whole, invalidValue(member.shape))
        .map(([value, { json, status }]) => ({ json: { ...value, [name]: json }, status })),
    );
  return fc.oneof(refused(wrongType, 'x', 5, null, []), lacking, unknown, both, wrongMember);
}

function without(value: Record<string, unknown>, name: string): Record<string, unknown> {
  const { [name]: _, ...rest } = value;
  return rest;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
