import { describe, expect, test } from 'vitest';
import {
  basicSettings,
  builtInInterface,
  describedInterface,
  jsonSchema,
  KnownInterface,
  PerformanceProfile,
} from '../src/index.js';

describe('the description of a scanner', () => {
  test('adds names to those of the model', () => {
    const known = described({
      '/api/LaserHours': variable('LaserHours', { type: 'integer', format: 'uint32' }),
    });
    expect(known.variable('LaserHours')?.type.shape).toMatchObject({ kind: 'integer', format: 'uint32' });
    expect(known.variable('LocationName')?.name).toBe('LocationName');
  });

  test('states what the scanner lacks', () => {
    const known = described({ '/api/A': variable('A', { type: 'boolean' }) });
    expect([known.lacks('A'), known.lacks('LocationName'), known.lacks('x/fields')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('takes the place of the model where it states another range, and the rules of the model stay', () => {
    const known = described({
      '/api/LocationName': variable('LocationName', {
        type: 'string',
        minLength: 0,
        maxLength: 8,
        default: 'Gate',
      }),
    });
    const { type, facts, group, section } = known.variable('LocationName') ?? {};
    expect(type?.shape).toMatchObject({ maxLength: 8 });
    expect([group, section, facts?.ofOneScanner]).toEqual(['Device', 'device', true]);
    expect(known.variable('LocationName')?.factoryValue({ release: '2.4.4', createdWith: '2.4.4' })).toBe(
      'Gate',
    );
  });

  test('takes the place of the model where the same numbers mean something else', () => {
    const { PerformanceProfileNumber } = basicSettings.members;
    const { shape, initial } = PerformanceProfileNumber.type;
    const table = { head: ['profile', 'Hz'], rows: [['1', '60']], note: 'Made up.' };
    const schema = { ...jsonSchema(shape, initial), 'x-value-table': table };
    const known = described({
      '/api/PerformanceProfileNumber': variable('PerformanceProfileNumber', schema),
    }).variable('PerformanceProfileNumber');
    expect(known?.facts.values).toEqual(table);
    expect(known?.type.shape).toEqual(shape);
    // Words of the model for its own numbers are found by this object.
    const values = known?.type.shape.kind === 'enumeration' ? known.type.shape.values : undefined;
    expect(values).not.toBe(PerformanceProfile);
  });

  test('keeps texts for people in one line, without control characters', () => {
    const known = described({
      '/api/A': {
        get: { ...variable('A', { type: 'boolean' }).get, summary: 'Two\nlines\u001b[2J', tags: ['G\u0007'] },
      },
    });
    expect([known.variable('A')?.facts.text, known.variable('A')?.group]).toEqual(['Two lines [2J', 'G']);
  });

  test.each([
    ['no object', 5],
    ['null', null],
    ['no paths', { openapi: '3.1.0' }],
    ['paths of another service', { openapi: '3.1.0', paths: { '/pets': {} } }],
    ['no version', { paths: { '/api/A': variable('A', { type: 'boolean' }) } }],
  ])('is none if it has %s', (_, json) => {
    expect(describedInterface(json)).toBeUndefined();
  });

  test.each(['__proto__', 'constructor', 'toString', 'a b', 'a.b', '../x', 'A'.repeat(65), ''])(
    'leaves out the name %j',
    (name) => {
      const known = describedInterface(
        JSON.parse(
          JSON.stringify({ openapi: '3.1.0', paths: { '/api/Other': {} } }).replace(
            '"paths":{',
            `"paths":{"/api/${name}":${JSON.stringify(variable('NAME', { type: 'boolean' })).replaceAll('NAME', name)},`,
          ),
        ),
      );
      expect(known?.named.some((named) => named.name === name)).toBe(false);
      expect(Object.prototype).toEqual({});
    },
  );

  test.each<[string, unknown]>([
    ['no schema', undefined],
    ['an unknown type', { type: 'date' }],
    ['an unknown width', { type: 'integer', format: 'toString' }],
    ['a range beyond its width', { type: 'integer', format: 'uint8', minimum: 0, maximum: 256 }],
    ['a range upside down', { type: 'integer', format: 'uint8', minimum: 5, maximum: 4 }],
    ['a range that is no number', { type: 'number', minimum: 'a' }],
    ['an enumeration without values', { type: 'integer', format: 'uint8', enum: [] }],
    ['an enumeration with a name twice', named([1, 2], ['A', 'A'])],
    ['a name of objects', named([1], ['__proto__'])],
    ['a name that steers a terminal', named([1], ['\u001b[2J'])],
    ['a member of objects', { type: 'object', properties: JSON.parse('{"__proto__":{"type":"boolean"}}') }],
    ['a reference in a value', { type: 'array', items: { $ref: '#/components/schemas/A' }, maxItems: 1 }],
    [
      'too many values',
      named(
        Array.from({ length: 1001 }, (_, index) => index),
        undefined,
      ),
    ],
    ['a default of billions of items', nested(4, 60_000)],
    ['a default of billions of empty items', nested(6, 60_000, { type: 'object', properties: {} })],
    ['a text that must have too many letters', { type: 'string', minLength: 2 ** 30, maxLength: 2 ** 31 }],
    ['too deep a nesting', nested(20, 1)],
    ['an unbelievably deep nesting', nested(5000, 1)],
  ])('leaves out a variable whose type has %s', (_, schema) => {
    const known = described({
      '/api/A': variable('A', schema),
      '/api/B': variable('B', { type: 'boolean' }),
    });
    expect([known.variable('A'), known.variable('B')?.name]).toEqual([undefined, 'B']);
  });

  test('is read up to a number of names', () => {
    const paths = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [
        `/api/N${index}`,
        variable(`N${index}`, { type: 'boolean' }),
      ]),
    );
    const known = described(paths);
    expect([known.variable('N1999')?.name, known.variable('N2000')]).toEqual(['N1999', undefined]);
  });

  test('is read up to a number of parts, however often names share a schema', () => {
    const values = Array.from({ length: 1000 }, (_, index) => index);
    const paths = Object.fromEntries(
      Array.from({ length: 2000 }, (_, index) => [
        `/api/N${index}`,
        variable(`N${index}`, { $ref: '#/components/schemas/Large' }),
      ]),
    );
    const large = { type: 'integer', format: 'uint16', enum: values };
    const known = describedInterface({ openapi: '3.1.0', paths, components: { schemas: { Large: large } } });
    const understood = known?.variables.filter(({ name }) => /^N\d+$/.test(name)) ?? [];
    expect(understood.length).toBeGreaterThan(50);
    expect(understood.length).toBeLessThan(101);
  });

  test('ignores a default that the type does not allow', () => {
    const known = described({ '/api/A': variable('A', { type: 'integer', format: 'uint8', default: 300 }) });
    expect(known.variable('A')?.type.initial).toBe(0);
  });
});

describe('what is known of several scanners', () => {
  const one = described({
    '/api/A': variable('A', { type: 'boolean' }),
    '/api/B': variable('B', { type: 'boolean' }),
  });
  const other = described({
    '/api/B': variable('B', { type: 'integer', format: 'uint8' }),
    '/api/C': variable('C', { type: 'boolean' }),
  });

  test('has the names of all, the first declaration of each, and lacks nothing', () => {
    const known = KnownInterface.merged([one, other]);
    expect(['A', 'B', 'C', 'LocationName'].map((name) => known.variable(name)?.type.shape.kind)).toEqual([
      'boolean',
      'boolean',
      'boolean',
      'string',
    ]);
    expect(known.lacks('LocationName')).toBe(false);
  });

  test('is what one knows if there is one, and the model if there is none', () => {
    expect(KnownInterface.merged([one, one])).toBe(one);
    expect(KnownInterface.merged([])).toBe(builtInInterface);
  });
});

function named(numbers: readonly number[], names: readonly string[] | undefined): unknown {
  return { type: 'integer', format: 'uint16', enum: numbers, 'x-enum-varnames': names };
}

function nested(depth: number, items: number, innermost: unknown = { type: 'boolean' }): unknown {
  let schema = innermost;
  for (let level = 0; level < depth; level++) {
    schema = { type: 'array', items: schema, minItems: items, maxItems: items };
  }
  return schema;
}

function variable(name: string, schema: unknown) {
  const data = { type: 'object', properties: Object.fromEntries([[name, schema]]) };
  const content = { 'application/json': { schema: { type: 'object', properties: { header: {}, data } } } };
  return { get: { summary: 'As described.', tags: ['Own'], responses: { 200: { content } } } };
}

function described(paths: unknown): KnownInterface {
  const known = describedInterface({ openapi: '3.1.0', paths });
  if (known === undefined) throw new TypeError('the document describes no scanner');
  return known;
}
