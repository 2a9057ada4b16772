import {
  allEvents,
  allMethods,
  allVariables,
  describedInterface,
  eventsOf,
  extensionVariables,
  type KnownInterface,
  Refusal,
  releases,
  type Shape,
  type ValueType,
  variants,
} from '@azimuth/model';
import { openApi } from '@azimuth/model/openapi';
import { object, parse } from '@azimuth/test-support/json';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { invalidValue } from '../properties/invalid-values.js';
import { validValue } from '../properties/valid-values.js';

const newest = { release: '2.4.4', variant: 'full' } as const;

describe('the interface that a scanner describes', () => {
  test.each(releases.flatMap((release) => variants.map((variant) => ({ release, variant }))))(
    'is that of the model for a scanner without own names: $release $variant',
    (edition) => {
      const known = described(openApi(edition));
      const variables = new Set(known.named.map(({ variable }) => variable));
      const others = [...allVariables, ...extensionVariables].filter((variable) => !variables.has(variable));
      expect(others.map(({ name }) => name)).toEqual([]);
      for (const method of allMethods) expect(known.method(method.name)).toBe(method);
      expect(known.lacks('StoreUserData')).toBe(true);
      expect(known.lacks('DeviceIdent')).toBe(false);
    },
  );

  test('leaves out nothing that the model does not know', () => {
    const known = renamed();
    const own = allVariables.filter((variable) => variable.isIn(newest));
    expect(own.filter(({ name }) => known.variable(ownName(name)) === undefined)).toEqual([]);
    const methods = allMethods.filter((method) => method.isIn(newest));
    expect(methods.filter(({ name }) => known.method(ownName(name)) === undefined)).toEqual([]);
  });

  describe.each(
    allVariables.filter((variable) => variable.isIn(newest)).map((variable) => [variable.name, variable]),
  )('has for %s, if the model does not know it,', (_, variable) => {
    const stated = renamed().variable(ownName(variable.name));

    test('the type and the default', () => {
      expect(stated?.type.shape).toEqual(inJson(variable.type.shape));
      expect(stated?.type.initial).toEqual(variable.factoryValue({ release: '2.4.4', createdWith: '2.4.4' }));
    });

    test('the facts', () => {
      const { text, write, unit, units, values, ofOneScanner } = variable.facts;
      expect(stated?.facts).toMatchObject(
        JSON.parse(JSON.stringify({ text, write, unit, units, values, ofOneScanner })),
      );
      expect([stated?.stored, stated?.group, stated?.isEvent]).toEqual([
        variable.stored,
        variable.group,
        eventsOf(newest).has(variable.name),
      ]);
      if (variable.stored) expect(stated?.section).toBe(variable.section);
    });

    test('the same values, and the same refusals', () => {
      const values = fc.oneof(
        validValue(variable.type.shape),
        invalidValue(variable.type.shape).map(({ json }) => json),
      );
      fc.assert(
        fc.property(values, (json) => {
          expect(outcome(stated?.type, json)).toEqual(outcome(variable.type, json));
        }),
        { numRuns: 25 },
      );
    });
  });

  test.each(
    allMethods.filter((method) => method.isIn(newest)).map((method) => [method.name, method] as const),
  )('has for %s, if the model does not know it, request, response and facts', (_, method) => {
    const stated = renamed().method(ownName(method.name));
    expect(stated?.request.shape).toEqual(method.request.shape);
    expect(stated?.response.shape).toEqual(method.response.shape);
    const { level, text, loses, reboots, done } = method.facts;
    expect(stated?.facts).toMatchObject(JSON.parse(JSON.stringify({ level, text, loses, reboots, done })));
    expect([stated?.hasRequest, stated?.hasResponse]).toEqual([method.hasRequest, method.hasResponse]);
  });

  test('has the events that the scanner pushes', () => {
    const names = allEvents
      .filter((event) => eventsOf(newest).has(event.name))
      .map(({ name }) => ownName(name));
    const known = renamed();
    expect(known.events.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });
});

function ownName(name: string): string {
  return `Own${name}`;
}

let ofRenamed: KnownInterface | undefined;

/** The interface of a scanner that serves the newest release under names that the model does not know. */
function renamed(): KnownInterface {
  if (ofRenamed !== undefined) return ofRenamed;
  const text = JSON.stringify(openApi(newest));
  const names = [...allVariables, ...allMethods].map(({ name }) => name);
  const document = object(parse(text.replaceAll('"/api/', '"/api/Own')));
  const json = JSON.stringify(document, (_, value: unknown) => {
    const isData = typeof value === 'object' && value !== null && 'additionalProperties' in value;
    if (!isData) return value;
    const { properties } = object(value);
    if (properties === undefined) return value;
    return {
      ...value,
      properties: Object.fromEntries(
        Object.entries(object(properties)).map(([name, schema]) =>
          names.includes(name) && '$ref' in object(schema) ? [ownName(name), schema] : [name, schema],
        ),
      ),
    };
  });
  ofRenamed = described(parse(json));
  return ofRenamed;
}

function described(document: unknown): KnownInterface {
  const known = describedInterface(document);
  if (known === undefined) throw new TypeError('the document describes no scanner');
  return known;
}

/** The value that JSON stands for, or the refusal with its place. */
function outcome(type: ValueType<unknown> | undefined, json: unknown): unknown {
  try {
    return { value: type?.fromJson(json, 'X') };
  } catch (error) {
    if (error instanceof Refusal) return { status: error.code, at: error.at, reason: error.reason };
    throw error;
  }
}

/** A shape without its forms in legacy telegrams, which a description of JSON does not have. */
function inJson(shape: Shape): Shape {
  if (shape.kind === 'string') {
    const { padded: _, ...others } = shape;
    return others;
  }
  if (shape.kind === 'array') {
    const { inTelegrams: _, ...others } = shape;
    return { ...others, of: inJson(shape.of) };
  }
  if (shape.kind !== 'struct') return shape;
  const members = Object.entries(shape.members).map(([name, member]) => [
    name,
    { ...member, shape: inJson(member.shape) },
  ]);
  return { ...shape, members: Object.fromEntries(members) };
}
