import type { Words } from '../options/word-argument.js';
import type { ValueWords } from '../scanners/names-for-completion.js';
import type { CommandWords, CompletionTable } from './completion-table.js';

/** A candidate for the next word. */
interface Candidate {
  /** The whole word. If it ends with `=`, `.` or `/`, it continues. */
  readonly word: string;
  readonly text: string;
}

/** Candidates: words, or names of files or folders. */
interface Candidates {
  readonly words: readonly Candidate[];
  readonly paths?: 'file' | 'folder';
}

/** Reads the names of the devices file, only if they are needed. */
type DeviceNames = () => { readonly devices: readonly string[]; readonly groups: readonly string[] };

/** The place in a command line after some words. */
interface Place {
  readonly command: CommandWords;
  /** The arguments of the command so far. */
  readonly given: readonly string[];
  /** The candidates for the value of the last option; undefined if the last word needs none. */
  readonly takes?: Words;
  /** True after `--`. */
  readonly isBehindDashes: boolean;
}

const nothing: Candidates = { words: [] };

/**
 * Returns the candidates for the next word of a command line.
 * @param words without the name of the program; the last one is being typed and may be empty
 */
export function candidates(table: CompletionTable, words: readonly string[], names: DeviceNames): Candidates {
  const typed = words.at(-1) ?? '';
  const place = placeBehind(table.program, words.slice(0, -1));
  const { command, given, takes, isBehindDashes } = place;
  const [, option = '', begun = ''] = /^(--[\w-]+=)(.*)$/s.exec(typed) ?? [];
  if (takes !== undefined) return beginningWith(typed, of(takes));
  if (option !== '' && !isBehindDashes) {
    const typedOption = command.options.find(({ name }) => `${name}=` === option);
    const { words: values, paths } = beginningWith(begun, of(typedOption?.takes ?? 'anything', begun));
    const candidates = values.map(({ word, text }) => ({ word: option + word, text }));
    return paths === undefined ? { words: candidates } : { words: candidates, paths };
  }
  if (typed.startsWith('-') && !isBehindDashes)
    return beginningWith(typed, { words: optionCandidates(command) });
  const scanners = given.length === 0 && acceptsDevices(command) ? of('scanner').words : [];
  if (command.commands.length > 0 && given.length === 0) {
    return beginningWith(typed, {
      words: [...commandCandidates(command), ...(typed.startsWith('@') ? scanners : [])],
    });
  }
  if (typed.startsWith('@') && scanners.length > 0) return beginningWith(typed, { words: scanners });
  const argument = command.arguments[given.length] ?? command.arguments.at(-1);
  return argument === undefined ? nothing : beginningWith(typed, of(argument));

  function of(kind: Words, begin = typed): Candidates {
    if (typeof kind !== 'string') return { words: kind.map((word) => ({ word, text: '' })) };
    switch (kind) {
      case 'anything':
        return nothing;
      case 'file':
      case 'folder':
        return { words: [], paths: kind };
      case 'value':
        return { words: valueCandidates(table.variables[given[0] ?? '']?.value ?? [], begin) };
      case 'request':
        return { words: valueCandidates(table.methods[given[0] ?? '']?.request ?? [], begin) };
      case 'scanner':
        return { words: scannerCandidates(names) };
      case 'deviceName':
        return { words: namesIn(names).map((word) => ({ word, text: '' })) };
      case 'level':
        return { words: table.levels.map((word) => ({ word, text: '' })) };
      case 'topic':
        return { words: [...commandCandidates(table.program), ...listed(table.topics)] };
      case 'method':
        return { words: methodCandidates(table) };
      case 'describable':
        return {
          words: [
            ...variableCandidates(table, () => true),
            ...methodCandidates(table),
            ...listed(table.files),
          ],
        };
      case 'variable':
        return { words: variableCandidates(table, () => true) };
      case 'parameter':
        return { words: variableCandidates(table, ({ isParameter }) => isParameter) };
      case 'event':
        return { words: variableCandidates(table, ({ isEvent }) => isEvent) };
    }
  }
}

/** Follows the words of a command line to its end. */
function placeBehind(program: CommandWords, words: readonly string[]): Place {
  let command = program;
  let given: string[] = [];
  let takes: Words | undefined;
  let isBehindDashes = false;
  for (const word of words) {
    if (takes !== undefined) {
      takes = undefined;
    } else if (word === '--' && !isBehindDashes) {
      isBehindDashes = true;
    } else if (word.startsWith('-') && word !== '-' && !isBehindDashes) {
      takes = command.options.find(({ name }) => name === word)?.takes;
    } else if (word.startsWith('@') && given.length === 0 && acceptsDevices(command)) {
      // A scanner.
    } else {
      const below = given.length === 0 ? command.commands.find(({ name }) => name === word) : undefined;
      if (below === undefined) given.push(word);
      else {
        command = below;
        given = [];
      }
    }
  }
  return { command, given, isBehindDashes, takes };
}

function acceptsDevices({ options }: CommandWords): boolean {
  return options.some(({ name }) => name === '--device');
}

function optionCandidates({ options }: CommandWords): readonly Candidate[] {
  const own = options.map(({ name, text }) => ({ word: name, text }));
  return [...own, { word: '--help', text: 'display help for command' }];
}

function commandCandidates({ commands }: CommandWords): readonly Candidate[] {
  return commands.map(({ name, text }) => ({ word: name, text }));
}

function variableCandidates(
  { variables }: CompletionTable,
  filter: (variable: CompletionTable['variables'][string]) => boolean,
): readonly Candidate[] {
  return Object.entries(variables).flatMap(([word, variable]) =>
    filter(variable) ? [{ word, text: variable.text }] : [],
  );
}

function methodCandidates({ methods }: CompletionTable): readonly Candidate[] {
  return Object.entries(methods).map(([word, { text }]) => ({ word, text }));
}

function listed(texts: Readonly<Record<string, string>>): readonly Candidate[] {
  return Object.entries(texts).map(([word, text]) => ({ word, text }));
}

function scannerCandidates(names: DeviceNames): readonly Candidate[] {
  const all = namesIn(names).map((name) => ({ word: `@${name}`, text: '' }));
  return all.length === 0 ? [] : [...all, { word: '@*', text: 'all of them' }];
}

/** Returns names of scanners and of groups; `hall/*` for all names with this beginning. */
function namesIn(names: DeviceNames): readonly string[] {
  const { devices, groups } = names();
  const prefixes = devices.flatMap((name) =>
    [...name.matchAll(/\//g)].map(({ index }) => `${name.slice(0, index)}/*`),
  );
  return [...devices, ...groups, ...new Set(prefixes)];
}

/** Returns candidates for a value that is partly typed: words, or a path of members and its value. */
function valueCandidates(value: ValueWords, typed: string): readonly Candidate[] {
  const [, path, word] = /^([\w.]+)=(.*)$/s.exec(typed) ?? [];
  const steps = (path ?? typed).split('.');
  const above = path === undefined ? steps.slice(0, -1) : steps;
  let at: ValueWords | undefined = value;
  for (const step of above) at = at === undefined ? undefined : below(at, step);
  if (at === undefined) return [];
  if (word !== undefined) return isWords(at) ? at.map((each) => ({ word: `${path}=${each}`, text: '' })) : [];
  const before = above.map((step) => `${step}.`).join('');
  if (isWords(at)) return above.length === 0 ? at.map((each) => ({ word: each, text: '' })) : [];
  const members: readonly (readonly [string, ValueWords])[] =
    'members' in at ? Object.entries(at.members) : listItems(at);
  return members.map(([name, each]) => ({ word: `${before}${name}${isWords(each) ? '=' : '.'}`, text: '' }));
}

/** Number of list items that are offered. */
const maxListItems = 16;

function listItems({
  items,
  count,
}: {
  items: ValueWords;
  count: number;
}): (readonly [string, ValueWords])[] {
  return Array.from({ length: Math.min(count, maxListItems) }, (_, index) => [String(index), items]);
}

function isWords(value: ValueWords): value is readonly string[] {
  return Array.isArray(value);
}

function below(value: ValueWords, step: string): ValueWords | undefined {
  if (isWords(value)) return undefined;
  if ('items' in value) return /^\d+$/.test(step) ? value.items : undefined;
  return Object.hasOwn(value.members, step) ? value.members[step] : undefined;
}

/** Filters the candidates by the typed beginning. If none matches, upper and lower case are ignored. */
function beginningWith(typed: string, { words, paths }: Candidates): Candidates {
  const exact = words.filter(({ word }) => word.startsWith(typed));
  const small = typed.toLowerCase();
  const matching =
    exact.length > 0 ? exact : words.filter(({ word }) => word.toLowerCase().startsWith(small));
  return paths === undefined ? { words: matching } : { words: matching, paths };
}
