import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { messageDefinitions as definitions, messageTypes } from '../../src/ros2/index.js';

/** The numbers of types in descriptions (type_description_interfaces/msg/FieldType). */
const primitives: Readonly<Record<string, number>> = {
  uint8: 3,
  int32: 6,
  uint32: 7,
  float32: 10,
  float64: 11,
  bool: 15,
  string: 17,
};
const nested = 1;
const boundedString = 21;
/** Added to the type number of the items for arrays and lists. */
const array = 48;
const list = 144;

const fieldsOf = (type: string) =>
  (definitions[type] ?? []).map((line) => {
    const [, base = '', bound, items, name] = /^([^[<]+?)(?:<=(\d+))?(?:\[(\d*)\])? (\w+)$/.exec(line) ?? [];
    return { base, bound, items, name };
  });

function descriptionOf(type: string): object {
  const fields = fieldsOf(type).map(({ base, bound, items, name }) => {
    const isNested = base in definitions;
    const item = isNested ? nested : bound === undefined ? primitives[base] : boundedString;
    if (item === undefined) throw new Error(`no type ${base}`);
    const several = items === undefined ? 0 : items === '' ? list : array;
    return {
      name,
      type: {
        type_id: item + several,
        capacity: Number(items ?? 0),
        string_capacity: Number(bound ?? 0),
        nested_type_name: isNested ? base : '',
      },
    };
  });
  return { type_name: type, fields };
}

function typesIn(type: string): readonly string[] {
  const direct = fieldsOf(type).flatMap(({ base }) => (base in definitions ? [base] : []));
  return [...new Set(direct.flatMap((one) => [one, ...typesIn(one)]))].sort();
}

/** The hash of a description with all types in it (REP-2011): SHA-256 of its JSON with a blank after commas and colons. */
function hashOf(type: string): string {
  const description = {
    type_description: descriptionOf(type),
    referenced_type_descriptions: typesIn(type).map(descriptionOf),
  };
  const json = JSON.stringify(description).replaceAll(/[,:]/g, '$& ');
  return `RIHS01_${createHash('sha256').update(json).digest('hex')}`;
}

test.each(Object.values(messageTypes))('the hash of $name is that of its definition', ({ name, hash }) => {
  expect(hash).toBe(hashOf(name));
});
