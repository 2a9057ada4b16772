import {
  type CallLevel,
  type Declaration,
  EventVariable,
  type GroupFacts,
  Method,
  Variable,
} from '../declaration.js';
import { describeJson, levelNames } from '../envelope.js';
import { extensionVariables } from '../extensions/index.js';
import { allVariables, groups } from '../interface.js';
import { legacyOnlyNames } from '../legacy-only-names.js';
import type { MethodHook, Product, VariableHooks } from '../product.js';
import { type Members, struct } from '../types/struct.js';
import type { Part } from './part.js';
import { looksSecret } from './secret-names.js';
import { checkName, membersOf, valueType } from './value-types.js';

/** Members of the definition of a variable, and of a method. */
const variableMembers = [
  ...['group', 'text', 'since', 'type', 'write', 'unit', 'event', 'secret'],
  ...['computed', 'refuses', 'written', 'from'],
];
const methodMembers = [
  ...['group', 'text', 'since', 'level', 'request', 'response', 'secrets', 'loses', 'called'],
];

const callLevels: readonly CallLevel[] = ['open', 'login', ...levelNames];

/** Most own variables, and most own methods: clients read no more than 2000 names of a scanner. */
const mostOwn = 800;

/** Names that the interface has. */
function takenNames(): ReadonlySet<string> {
  return new Set([
    ...groups.flatMap(({ members }) => Object.keys(members)),
    ...allVariables.flatMap(({ facts }) => facts.aliases ?? []),
    ...extensionVariables.map(({ name }) => name),
    ...legacyOnlyNames,
  ]);
}

/** What a product has beyond the interface. */
export interface OwnMembers {
  /** Own groups by name, also those of the interface that own members stand in. */
  readonly groups: ReadonlyMap<string, Readonly<Record<string, Declaration>>>;
  readonly hooks: Product['hooks'];
  readonly methods: Product['methods'];
  /** Returns true for a member that came with a newer version than this one. */
  isNewer(name: string, version: string | undefined): boolean;
}

/** Reads the own groups, variables and methods of a product. @param versions of its firmware, oldest first */
export function ownMembers(whole: Part, versions: readonly string[]): OwnMembers {
  const added = whole.part('groups').only(['added', 'removed']).part('added');
  const groupFacts = new Map<string, GroupFacts>();
  for (const [name, part] of added.parts) {
    if (groups.some((group) => group.name === name)) part.mistake('the interface has a group of this name');
    if (name.length > 40 || !/^[A-Za-z]/.test(name))
      part.mistake('expected up to 40 characters, the first one a letter');
    const section = part.only(['section']).part('section').oneOf(['device', 'application']);
    groupFacts.set(name, { section });
  }
  const names = [...groups.map(({ name }) => name), ...groupFacts.keys()];
  const inGroups = new Map<string, Record<string, Declaration>>();
  const since = new Map<string, number>();
  const hooks = new Map<string, VariableHooks>();
  const methods = new Map<string, MethodHook>();
  const taken = takenNames();
  const used = new Set<string>();
  const own = new Set<string>();

  function add(name: string, part: Part, declaration: Declaration | undefined): void {
    checkName(name, part);
    if (taken.has(name)) part.mistake('the interface has this name already');
    if (own.has(name)) part.mistake('a variable has this name already');
    own.add(name);
    const groupPart = part.part('group');
    const group = groupPart.required(groupPart.oneOf(names));
    const version = part.part('since').oneOf(versions);
    if (version !== undefined) since.set(name, versions.indexOf(version));
    if (group !== undefined) used.add(group);
    if (group === undefined || declaration === undefined) return;
    const members = inGroups.get(group) ?? {};
    members[name] = declaration;
    inGroups.set(group, members);
    declaration.register(name, group, groupFacts.get(group) ?? {});
  }

  for (const part of [whole.part('variables'), whole.part('methods')]) {
    const count = Object.keys(part.members).length;
    if (count > mostOwn) part.mistake(`expected at most ${mostOwn} names, got ${count}`);
  }
  for (const [name, part] of whole.part('variables').parts) {
    const found = hooksOf(part.only(variableMembers));
    if (Object.keys(found).length > 0) hooks.set(name, found);
    add(name, part, variableOf(name, part, found));
  }
  for (const [name, part] of whole.part('methods').parts) {
    const called = part.only(methodMembers).part('called').hook();
    if (called !== undefined) methods.set(name, called);
    add(name, part, methodOf(part));
  }
  for (const name of groupFacts.keys()) {
    if (!used.has(name)) added.part(name).mistake('no variable and no method is in this group');
  }
  return {
    groups: inGroups,
    hooks,
    methods,
    isNewer: (name, version) => {
      const first = since.get(name);
      return first !== undefined && version !== undefined && versions.indexOf(version) < first;
    },
  };
}

function textOf(part: Part): string {
  const text = part.part('text');
  return text.required(text.text({ maximum: 300 })) ?? '';
}

function hooksOf(part: Part): VariableHooks {
  const computed = part.part('computed').hook();
  const written = part.part('written').hook();
  const refuses = part.part('refuses').hook();
  const from = part.part('from').items.flatMap((item) => item.text() ?? []);
  if (from.length > 0 && computed === undefined)
    part.part('from').mistake('only a computed variable follows others');
  const refusal: VariableHooks['refuses'] =
    refuses &&
    ((value, scanner) => {
      const reason = refuses(value, scanner);
      // `limit > 800 && 'too hot'` returns false if it does not refuse.
      if (reason === undefined || reason === null || reason === false) return undefined;
      if (typeof reason === 'string') return reason;
      if (reason instanceof Promise) reason.catch(ignore);
      throw new TypeError(`refuses returned ${describeJson(reason)}: expected a text, or nothing`);
    });
  const hooks = { computed, written, refuses: refusal, from: from.length > 0 ? from : undefined };
  return Object.fromEntries(Object.entries(hooks).filter(([, hook]) => hook !== undefined));
}

function variableOf(
  name: string,
  part: Part,
  { computed, written, refuses }: VariableHooks,
): Variable<unknown> | undefined {
  const typePart = part.part('type');
  const type = valueType(typePart);
  const text = textOf(part);
  const write = part.part('write').oneOf(levelNames);
  if (write === undefined && (written ?? refuses) !== undefined && !part.has('write'))
    part.part('write').mistake('is missing: nobody can write this variable, so its hooks are never called');
  if (computed !== undefined && write !== undefined && written === undefined)
    part.part('written').mistake('is missing: a computed variable that can be written needs it');
  const unit = part.part('unit').text({ maximum: 20 });
  const isEvent = part.part('event').flag() ?? false;
  const declared = part.part('secret').flag();
  if (type === undefined) return undefined;
  // Everybody can read what was written, unless a function computes what is read.
  const secret = declared ?? (computed !== undefined && looksSecret(name, type.shape));
  const facts = { text, write, unit, secret, stored: write !== undefined && computed === undefined };
  return isEvent ? new EventVariable(type, facts) : new Variable(type, facts);
}

function methodOf(part: Part): Method<unknown, unknown> | undefined {
  const levelPart = part.part('level');
  const level = levelPart.required(levelPart.oneOf(callLevels));
  const text = textOf(part);
  const loses = part.part('loses').text({ maximum: 300 });
  const request = membersOf(part.part('request'));
  const response = membersOf(part.part('response'));
  if (level === undefined || request === undefined || response === undefined) return undefined;
  const members = { ...response, ...request };
  const secretsPart = part.part('secrets');
  const declared = secretsPart.items.flatMap((item) => item.oneOf(Object.keys(members)) ?? []);
  const suspected = [...Object.entries(response), ...Object.entries(request)]
    .filter(([name, { shape }]) => looksSecret(name, shape))
    .map(([name]) => name);
  return new Method(struct(request), struct(response), {
    ...{ level, text, loses, secrets: part.has('secrets') ? declared : suspected },
    request: nonEmpty(request),
    response: nonEmpty(response),
  });
}

function ignore(): void {}

function nonEmpty(members: Members): Members | undefined {
  return Object.keys(members).length === 0 ? undefined : members;
}
