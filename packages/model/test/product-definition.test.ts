import { describe, expect, it } from 'vitest';
import {
  defineProduct,
  labelPasswords,
  type ProductDefinition,
  ProductMistakes,
  productFrom,
} from '../src/index.js';

const whole: ProductDefinition = {
  name: 'acme',
  deviceType: 'acme3xx',
  orderNumber: '1',
  realm: 'Acme Sensor',
  releases: { '5.0.0': '2.4.4' },
};

/** Returns the mistakes of a definition that differs from a valid one in these members. */
function mistakesOf(members: object): readonly string[] {
  try {
    productFrom({ ...whole, ...members });
    return [];
  } catch (error) {
    if (error instanceof ProductMistakes) return error.mistakes;
    throw error;
  }
}

const variable = { group: 'Laser', text: 'A text.', type: { kind: 'boolean' } };
const added = { groups: { added: { Laser: {} } } };

describe('a product', () => {
  it('is the same for the same definition, and frozen', () => {
    expect(defineProduct(whole)).toBe(defineProduct(whole));
    expect(Object.isFrozen(defineProduct(whole))).toBe(true);
  });

  it('has every mistake told at once, each with its place', () => {
    expect(
      mistakesOf({
        name: 'longer than nine',
        realm: 'Acme:Sensor',
        metricPrefix: 'Acme-',
        macPrefix: '03:00:00',
        colour: 'red',
        ...added,
        variables: {
          LaserHours: { group: 'Lasers', text: 'x', type: { kind: 'intger' } },
          LaserLimit: { ...variable, type: { kind: 'integer', minimum: 5, maximum: 3 } },
          DeviceIdent: variable,
        },
      }),
    ).toEqual([
      'colour: "colour" is unknown',
      'name: expected 1 to 9 characters, got 16',
      'realm: expected no colon: it separates the parts of a hash',
      'variables.LaserHours.type.kind: expected boolean, integer, float, enumeration, string, address, array, struct; "intger" is unknown; did you mean integer?',
      expect.stringMatching(
        /^variables\.LaserHours\.group: expected .*"Lasers" is unknown; did you mean Laser\?$/,
      ),
      'variables.LaserLimit.type: minimum 5 is above maximum 3',
      'variables.DeviceIdent: the interface has this name already',
      'metricPrefix: expected small letters, digits and _, got "Acme-"',
      'macPrefix: the first byte is odd: that is an address of a group',
    ]);
  });

  it.each<[string, object, string]>([
    ['a missing name', { name: undefined }, 'name: is missing'],
    [
      'a type as a text',
      { ...added, variables: { A: { ...variable, type: 'boolean' } } },
      'variables.A.type: expected an object, got a string of 7',
    ],
    [
      'no type',
      { ...added, variables: { A: { group: 'Laser', text: 'x' } } },
      'variables.A.type: is missing',
    ],
    [
      'a wrong initial value',
      {
        ...added,
        variables: { A: { ...variable, type: { kind: 'integer', format: 'uint8', initial: 300 } } },
      },
      'variables.A.type.initial: expected 0 to 255, got 300',
    ],
    [
      'an array without items',
      { ...added, variables: { A: { ...variable, type: { kind: 'array', maxItems: 3 } } } },
      'variables.A.type.of: is missing',
    ],
    [
      'a wrong member of a struct',
      {
        ...added,
        variables: { A: { ...variable, type: { kind: 'struct', members: { B: { kind: 'string' } } } } },
      },
      'variables.A.type.members.B.maxLength: is missing',
    ],
    [
      'two names of one number',
      {
        ...added,
        variables: { A: { ...variable, type: { kind: 'enumeration', values: { ON: 1, ALSO: 1 } } } },
      },
      'variables.A.type.values.ALSO: 1 has another name already',
    ],
    [
      'a hook that is no function',
      { ...added, variables: { A: { ...variable, computed: 5 } } },
      'variables.A.computed: expected a function, got 5',
    ],
    [
      'a hook that is never called',
      { ...added, variables: { A: { ...variable, written: () => 1 } } },
      'variables.A.write: is missing: nobody can write this variable, so its hooks are never called',
    ],
    [
      'a computed value that is written nowhere',
      { ...added, variables: { A: { ...variable, write: 'Service', computed: () => true } } },
      'variables.A.written: is missing: a computed variable that can be written needs it',
    ],
    [
      'a name with a blank',
      { ...added, variables: { 'A B': variable } },
      'variables.A B: expected a name: a letter, then up to 63 letters, digits and _',
    ],
    [
      'a version that does not exist',
      { ...added, variables: { A: { ...variable, since: '6.0.0' } } },
      'variables.A.since: expected 5.0.0; "6.0.0" is unknown; did you mean 5.0.0?',
    ],
    [
      'a method without a level',
      { ...added, methods: { A: { group: 'Laser', text: 'x' } } },
      'methods.A.level: is missing',
    ],
    ['an empty group', added, 'groups.added.Laser: no variable and no method is in this group'],
    [
      'a group that exists',
      { groups: { added: { Status: {} } }, variables: { A: { ...variable, group: 'Status' } } },
      'groups.added.Status: the interface has a group of this name',
    ],
    [
      'members in a removed group',
      { groups: { removed: ['Filter'] }, variables: { A: { ...variable, group: 'Filter' } } },
      'groups.removed: own members are in the group Filter',
    ],
    ['an unknown group to remove', { groups: { removed: ['Filters'] } }, 'groups.removed[0]: expected'],
    [
      'a wider range',
      { ranges: { LocationName: { maxLength: 40 } } },
      'ranges.LocationName.maxLength: expected 0 to 32, got 40',
    ],
    [
      'a range without the factory value',
      { ranges: { LocationName: { maxLength: 3 } } },
      'ranges.LocationName: the factory value of version 5.0.0 is outside (expected 0 to 3 characters, got 11); state another one in defaults.LocationName',
    ],
    [
      'a range of no parameter',
      { ranges: { DeviceIdent: {} } },
      'ranges.DeviceIdent: the interface has no parameter of this name',
    ],
    [
      'a range of a boolean',
      { ranges: { LEDEnable: {} } },
      'ranges.LEDEnable: a type of the kind boolean has no range',
    ],
    [
      'a factory value outside of its type',
      { defaults: { LocationName: 5 } },
      'defaults.LocationName: expected a string, got 5',
    ],
    [
      'a factory value of a removed group',
      { groups: { removed: ['Legacy protocols'] }, defaults: { EtherAuxEnabled: false } },
      'defaults.EtherAuxEnabled: the product does not have the group Legacy protocols',
    ],
    [
      'a profile that is too fast',
      { profiles: { 2: { frequency: 20_000, resolution: 2500 } } },
      'profiles.2.frequency: expected 100 to 10000, got 20000',
    ],
    [
      'a resolution that no whole number of beams in 10° makes',
      { profiles: { 2: { frequency: 1500, resolution: 3000 } } },
      'profiles.2.resolution: expected a whole number of beams in 10°, as with 3030, got 3000',
    ],
    [
      'a segment with too many beams',
      { profiles: { 2: { frequency: 1500, resolution: 500, segment: 60 } } },
      'profiles.2: expected at most 600 beams a segment, got 1200: make segments smaller',
    ],
    [
      'a version that is no version',
      { releases: { newest: '2.4.4' } },
      'releases.newest: expected a version of three numbers from 0 to 99, as in 5.0.1, got "newest"',
    ],
    ['an unknown base', { releases: { '5.0.0': '2.4.5' } }, 'releases.5.0.0: expected'],
    [
      'a newer version with an older base',
      { releases: { '5.0.0': '2.4.4', '5.0.1': '2.3.3' } },
      'releases.5.0.1: expected 2.4.4 or newer: the older 5.0.0 is based on it',
    ],
    ['no version', { releases: {} }, 'releases: expected at least one version'],
    [
      'an unknown level',
      { firstPasswords: { Servise: 'x' } },
      'firstPasswords.Servise: "Servise" is unknown; did you mean Service?',
    ],
    [
      'a label twice',
      {
        labels: [
          { serialNumber: '1', level: 'Service', password: 'a' },
          { serialNumber: '1', level: 'Service', password: 'b' },
        ],
      },
      'labels[1]: scanner 1 has a password for Service already',
    ],
  ])('refuses %s', (_, members, mistake) => {
    const mistakes = mistakesOf(members);
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toContain(mistake);
  });

  const holding: { kind: string; maxItems: number; of?: unknown } = { kind: 'array', maxItems: 2 };
  holding.of = holding;

  it.each<[string, object, string]>([
    [
      'a member that throws',
      {
        ...added,
        variables: {
          A: {
            ...variable,
            get unit() {
              throw new Error('broken');
            },
          },
        },
      },
      'variables.A.unit: cannot be read: Error: broken',
    ],
    [
      'a type inside of itself',
      { ...added, variables: { A: { ...variable, type: holding } } },
      'variables.A.type.of: a type cannot be inside of itself',
    ],
    [
      'a type whose smallest value is huge',
      {
        ...added,
        variables: {
          A: {
            ...variable,
            type: {
              kind: 'array',
              minItems: 60_000,
              maxItems: 60_000,
              of: { kind: 'array', minItems: 60_000, maxItems: 60_000, of: { kind: 'boolean' } },
            },
          },
        },
      },
      'variables.A.type: expected values of at most 100000 parts, got at least 3600000000',
    ],
    [
      'the name of a member of every object',
      { ...added, variables: { constructor: variable } },
      'variables.constructor: every object of JavaScript has the name constructor already',
    ],
    [
      'a name of the legacy protocol alone',
      { ...added, variables: { LMDscandata: variable } },
      'variables.LMDscandata: the interface has this name already',
    ],
    [
      'a method and a variable of one name in two groups',
      {
        groups: { added: { Laser: {}, Lamp: {} } },
        variables: { A: variable },
        methods: { A: { group: 'Lamp', text: 'x', level: 'open' } },
      },
      'methods.A: a variable has this name already',
    ],
    [
      'an unknown source',
      { ...added, variables: { A: { ...variable, computed: () => true, from: ['Nothing'] } } },
      'variables.A.from[0]: the product has no variable Nothing',
    ],
    [
      'a source in a removed group',
      {
        groups: { added: { Laser: {} }, removed: ['Inputs and outputs'] },
        variables: { A: { ...variable, computed: () => true, from: ['InputState'] } },
      },
      'variables.A.from[0]: the product has no variable InputState',
    ],
    [
      'a length that is not whole',
      { ranges: { LocationName: { maxLength: 20.5 } } },
      'ranges.LocationName.maxLength: expected an integer, got 20.5',
    ],
    [
      'a version with a zero before its number',
      { releases: { '5.01.0': '2.4.4' } },
      'releases.5.01.0: expected a version of three numbers from 0 to 99, as in 5.0.1, got "5.01.0"',
    ],
  ])('refuses %s, with its place', (_, members, mistake) => {
    expect(mistakesOf(members)).toContain(mistake);
  });

  it('that cannot be read at all is told', () => {
    const broken = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no keys');
        },
      },
    );
    expect(() => productFrom(broken)).toThrow(
      new ProductMistakes(['the product cannot be read: Error: no keys']),
    );
  });

  it('may follow extensions', () => {
    const variables = { A: { ...variable, computed: () => true, from: ['x/fields', 'LocationName'] } };
    expect(mistakesOf({ ...added, variables })).toEqual([]);
  });

  it('may narrow the profiles of its own', () => {
    const profiles = { 1: { frequency: 2500, resolution: 2500 }, 77: { frequency: 4000, resolution: 2000 } };
    const mistakes = mistakesOf({
      profiles,
      ranges: { PerformanceProfileNumber: { values: ['MODE_77'] } },
      defaults: { PerformanceProfileNumber: 77 },
    });
    expect(mistakes).toEqual([]);
  });

  it('orders its versions by their numbers', () => {
    const releases = { '5.10.0': '2.4.4', '5.9.0': '2.4.4', '5.0.0': '2.3.1' } as const;
    const versions = defineProduct({ ...whole, releases }).releases.map(({ version }) => version);
    expect(versions).toEqual(['5.0.0', '5.9.0', '5.10.0']);
  });
});

it('a product carries the cases that it does not pass on purpose, with their reasons', () => {
  const { deviations } = defineProduct({ ...whole, deviations: { 'status.get-on-method': 'its gateway' } });
  expect([...deviations]).toEqual([['status.get-on-method', 'its gateway']]);
  expect(mistakesOf({ deviations: { 'status.ok': 1 } })).toEqual([
    'deviations.status.ok: expected a text, got 1',
  ]);
});

describe('the passwords of labels', () => {
  it('are read from lines', () => {
    expect(labelPasswords('# serial,level,password\n\n12,Service,a,b\r\n')).toEqual([
      { serialNumber: '12', level: 'Service', password: 'a,b' },
    ]);
  });

  it('are told by the numbers of lines that cannot be read, never by their content', () => {
    expect(() => labelPasswords('12,Servise,secret')).toThrow(
      'line 1: expected serial,level,password with the level Maintenance, AuthorizedClient, Service',
    );
  });
});
