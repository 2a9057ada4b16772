import { type Declaration, type Group, Variable } from '../declaration.js';
import { Refusal } from '../envelope.js';
import { allParameters, extensionPrefix, extensionVariables } from '../extensions/index.js';
import { basicSettings, device } from '../groups/index.js';
import { allVariables, groups } from '../interface.js';
import { type ProfileFacts, tableOfProfiles } from '../performance-profile.js';
import type { ProductRelease } from '../product.js';
import { enumeration } from '../types/enumeration.js';
import type { Member, Shape, ValueType } from '../types/value-type.js';
import { narrowed } from './narrowing.js';
import type { OwnMembers } from './own-members.js';
import type { Part } from './part.js';
import { checked } from './value-types.js';

/** Groups without which a scanner cannot work. */
const needed: ReadonlySet<string> = new Set(['General', 'Status', 'Device', 'Basic settings', 'Ethernet']);

const { DeviceIdent, DeviceType, OrderNumber } = device.members;

type AnyGroup = Group<Readonly<Record<string, Declaration>>>;

interface ServedOfProduct {
  readonly groups: readonly AnyGroup[];
  readonly extensions: readonly Variable<unknown>[];
  /** Names of everything in the removed groups. */
  readonly removed: ReadonlySet<string>;
}

interface Facts {
  readonly name: string;
  readonly deviceType: string;
  readonly orderNumber: string;
  readonly releases: readonly ProductRelease[];
  readonly profiles: Readonly<Record<number, ProfileFacts>>;
  readonly own: OwnMembers;
}

/** Returns the interface of a product: groups removed and added, types narrower, other factory values. */
export function interfaceOf(whole: Part, facts: Facts): ServedOfProduct {
  const removedGroups = removedOf(whole.part('groups').part('removed'));
  const isRemoved = ({ group }: { readonly group: string }) => removedGroups.has(group);
  const all: readonly Declaration[] = [
    ...groups.flatMap(({ members }) => Object.values<Declaration>(members)),
    ...extensionVariables,
  ];
  const removed = new Set(all.filter(isRemoved).map(({ name }) => name));
  const redeclared = redeclarations(whole, facts, (name) => removed.has(name));
  const declared = <D extends Declaration>(one: D): Declaration => redeclared.get(one.name) ?? one;
  const served = groups
    .filter(({ name }) => !removedGroups.has(name))
    .map(({ name, members }): AnyGroup => {
      const of = Object.entries<Declaration>(members).map(([key, one]) => [key, declared(one)] as const);
      return { name, members: { ...Object.fromEntries(of), ...facts.own.groups.get(name) } };
    });
  const added = [...facts.own.groups]
    .filter(([name]) => !groups.some((group) => group.name === name))
    .map(([name, members]): AnyGroup => ({ name, members }));
  for (const name of facts.own.groups.keys()) {
    if (removedGroups.has(name))
      whole.part('groups').part('removed').mistake(`own members are in the group ${name}`);
  }
  return {
    groups: [...served, ...added],
    extensions: extensionVariables
      .filter((variable) => !isRemoved(variable))
      .map((variable) => redeclared.get(variable.name) ?? variable),
    removed,
  };
}

function removedOf(part: Part): ReadonlySet<string> {
  const names = groups.map(({ name }) => name);
  return new Set(
    part.items.flatMap((item) => {
      const name = item.oneOf(names);
      if (name === undefined) return [];
      if (needed.has(name)) item.mistake(`no scanner works without the group ${name}`);
      return [name];
    }),
  );
}

/** Returns the variables of the interface that the product declares anew, by name. */
function redeclarations(
  whole: Part,
  facts: Facts,
  isRemoved: (name: string) => boolean,
): ReadonlyMap<string, Variable<unknown>> {
  const { name, deviceType, orderNumber, releases, profiles } = facts;
  const redeclared = new Map<string, Variable<unknown>>();
  const newest = releases.at(-1)?.version ?? '';
  redeclared.set(
    DeviceIdent.name,
    DeviceIdent.redeclared({
      facts: { factory: ({ version = newest }) => ({ Name: name, Version: version }) },
    }),
  );
  redeclared.set(DeviceType.name, DeviceType.redeclared({ facts: { factory: () => deviceType } }));
  redeclared.set(OrderNumber.name, OrderNumber.redeclared({ facts: { factory: () => orderNumber } }));
  if (whole.has('profiles')) for (const one of profileVariables(profiles)) redeclared.set(one.name, one);
  checkSources(whole, facts, isRemoved);
  const ranges = whole.part('ranges');
  const defaults = whole.part('defaults');
  for (const [variableName, part] of ranges.parts) {
    const known = parameterNamed(variableName, part, isRemoved);
    // Profiles of the product have changed the type already.
    const variable = known && (redeclared.get(variableName) ?? known);
    const type = variable && narrowed(variable.type, part);
    if (variable === undefined || type === undefined) continue;
    redeclared.set(variableName, variable.redeclared({ type }));
    if (!defaults.has(variableName)) checkFactoryValues(variable, type, releases, part);
  }
  for (const [variableName, part] of defaults.parts) {
    const known = parameterNamed(variableName, part, isRemoved);
    const variable = redeclared.get(variableName) ?? known;
    if (known === undefined || variable === undefined) continue;
    const value = checked(variable.type, part);
    if (value === undefined) continue;
    const refusal = variable.facts.refuses?.(value, part.at);
    if (refusal !== undefined) part.mistake(refusal.reason);
    redeclared.set(variableName, variable.redeclared({ facts: { factory: () => value } }));
  }
  return redeclared;
}

/** What computed variables follow are variables of the product. */
function checkSources(whole: Part, { own }: Facts, isRemoved: (name: string) => boolean): void {
  const names = [
    ...allVariables.filter((one) => !isRemoved(one.name)).map(({ name }) => name),
    ...extensionVariables.filter((one) => !isRemoved(one.name)).map(({ name }) => extensionPrefix + name),
    ...[...own.groups.values()].flatMap((members) =>
      Object.values(members).flatMap((one) => (one instanceof Variable ? one.name : [])),
    ),
  ];
  for (const [, variable] of whole.part('variables').parts) {
    for (const item of variable.part('from').items) {
      const source = item.text();
      if (source !== undefined && !names.includes(source))
        item.mistake(`the product has no variable ${source}`);
    }
  }
}

function parameterNamed(
  name: string,
  part: Part,
  isRemoved: (name: string) => boolean,
): Variable<unknown> | undefined {
  const variable = allParameters.find((one) => one.name === name);
  if (variable === undefined) return part.mistake('the interface has no parameter of this name');
  if (isRemoved(name)) return part.mistake(`the product does not have the group ${variable.group}`);
  return variable;
}

/** The factory value of each release lies within a narrower type, if the product states no other. */
function checkFactoryValues(
  variable: Variable<unknown>,
  type: ValueType<unknown>,
  releases: readonly ProductRelease[],
  part: Part,
): void {
  for (const { base, version } of releases) {
    const outside = refusalOf(type, variable.factoryValue({ release: base, createdWith: base }));
    if (outside === undefined) continue;
    part.mistake(
      `the factory value of version ${version} is outside (${outside}); state another one in defaults.${variable.name}`,
    );
    return;
  }
}

/** Returns the reason why a type refuses a value; undefined if it does not. */
function refusalOf(type: ValueType<unknown>, value: unknown): string | undefined {
  try {
    type.fromJson(value, '');
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

/** Profile that new scanners use, and that of a variant without profiles. */
const usualProfile = 2;
const profileIfAbsent = 3;

/** Returns the variables whose types follow from the profiles. */
function profileVariables(profiles: Readonly<Record<number, ProfileFacts>>): readonly Variable<unknown>[] {
  const numbers = Object.keys(profiles).map(Number);
  const [first] = numbers;
  if (first === undefined) return [];
  const { PerformanceProfileNumber, ScanConfig } = basicSettings.members;
  const number: Variable<unknown> = PerformanceProfileNumber;
  const config: Variable<unknown> = ScanConfig;
  const values = Object.fromEntries(numbers.map((one) => [`MODE_${one}`, one]));
  return [
    number.redeclared({
      type: enumeration(values, numbers.includes(usualProfile) ? usualProfile : first),
      facts: {
        valueIfAbsent: numbers.includes(profileIfAbsent) ? profileIfAbsent : first,
        values: tableOfProfiles(profiles),
      },
    }),
    config.redeclared({ type: { ...config.type, shape: shapeFor(config.type.shape, profiles) } }),
  ];
}

/** Returns the shape of ScanConfig with the frequencies and resolutions of these profiles. */
function shapeFor(shape: Shape, profiles: Readonly<Record<number, ProfileFacts>>): Shape {
  const range = (numbers: readonly number[]) => ({
    minimum: Math.min(...numbers),
    maximum: Math.max(...numbers),
  });
  const all = Object.values(profiles);
  const bounds: Readonly<Record<string, { readonly minimum: number; readonly maximum: number }>> = {
    udiScanFreq: range(all.map(({ frequency }) => frequency)),
    udiAngleRes: range(all.map(({ resolution }) => resolution)),
  };
  return withBounds(shape, bounds);
}

function withBounds(
  shape: Shape,
  bounds: Readonly<Record<string, { readonly minimum: number; readonly maximum: number }>>,
): Shape {
  if (shape.kind === 'array') return { ...shape, of: withBounds(shape.of, bounds) };
  if (shape.kind !== 'struct') return shape;
  const members = Object.entries(shape.members).map(([name, member]): [string, Member] => {
    const range = bounds[name];
    const of = member.shape;
    if (range === undefined || of.kind !== 'integer')
      return [name, { ...member, shape: withBounds(of, bounds) }];
    return [name, { ...member, shape: { ...of, ...range } }];
  });
  return { ...shape, members: Object.fromEntries(members) };
}
