import { type Shape, shortestFloat32 } from '@azimuth/model';
import fc from 'fast-check';

/** Any value that a shape allows, as JSON. */
export function validValue(shape: Shape): fc.Arbitrary<unknown> {
  switch (shape.kind) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof(
        fc.integer({ min: shape.minimum, max: shape.maximum }),
        fc.constantFrom(shape.minimum, shape.maximum),
      );
    case 'enumeration':
      return fc.constantFrom(...Object.values(shape.values));
    case 'levelName':
      return fc.constantFrom('Run', 'Operator', 'Maintenance', 'AuthorizedClient', 'Service');
    case 'float':
      return fc
        .float({ min: Math.fround(shape.minimum), max: Math.fround(shape.maximum), noNaN: true })
        .map((value) => shortestFloat32(value))
        .filter((value) => value >= shape.minimum && value <= shape.maximum);
    case 'string':
      // Sources of outputs are codes of four characters, and only some of these are any.
      if (shape.minLength === 4 && shape.maxLength === 4)
        return fc.constantFrom('DRDY', 'FE48', 'IN08', 'SC01', '    ');
      return text(shape.minLength, shape.maxLength);
    case 'address':
      return fc.array(fc.integer({ min: 0, max: 255 }), { minLength: shape.length, maxLength: shape.length });
    case 'array':
      return fc.array(validValue(shape.of), { minLength: shape.minItems, maxLength: shape.maxItems });
    case 'struct':
      return fc.record(
        Object.fromEntries(
          Object.entries(shape.members).map(([name, member]) => [name, validValue(member.shape)]),
        ),
      );
  }
}

/** Any text of so many code points that holds no control characters and no lone surrogates. */
function text(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const character = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 1 })
    .filter((candidate) => !/[\p{Cc}\p{Cs}]/u.test(candidate));
  return fc.array(character, { minLength, maxLength }).map((characters) => characters.join(''));
}
