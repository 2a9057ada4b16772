import { isObject } from '@azimuth/model';
import type { Option } from 'commander';
import { type InputForm, inputForms, longestWord, mostWords } from './input-forms.js';
import { actionOptions, isRepeatable, type ToolDefinition } from './tool-definitions.js';

/** An input that no command line is made of. The message says what was expected and what came. */
export class InputRefusal extends Error {
  override readonly name = 'InputRefusal';
}

/** A command line, without the name of the program. */
export interface CommandWords {
  readonly words: readonly string[];
  /** Text for its standard input. */
  readonly standardInput?: string;
}

/** Maximum characters of the text for the standard input of a command. */
export const longestStandardInput = 1024 * 1024;

/**
 * Makes the command line of a call. A value of a client never becomes an option: options have the form `--name=value`, and
 * arguments stand behind `--`.
 * @param given the inputs, of unknown origin
 * @param defaults values of inputs that the client did not give, by their names
 * @throws InputRefusal
 */
export function commandWords(
  tool: ToolDefinition,
  given: unknown,
  defaults: Readonly<Record<string, string | readonly string[]>>,
): CommandWords {
  if (given !== undefined && !isObject(given)) throw new InputRefusal('the inputs: expected an object');
  const inputs = given ?? {};
  const { declaration } = tool;
  const [standardName, standardInput] = [declaration.standardInput?.[0], standardInputOf(tool, inputs)];
  const own = tool.actions.size === 0 ? [] : ['action', 'arguments', 'options'];
  const known = [...own, ...tool.inputs.keys(), ...(standardName === undefined ? [] : [standardName])];
  const unknown = Object.keys(inputs).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new InputRefusal(
      `${shown(unknown)} is no input of ${tool.name}; the inputs are ${known.join(', ')}`,
    );
  const action = actionWords(tool, inputs);
  const options: string[] = [...action.options];
  const values: string[] = [...action.values];
  for (const [name, source] of tool.inputs) {
    const form = formOf(tool, name);
    const value = inputs[name] ?? { ...defaults, ...declaration.usual }[name];
    if (value === undefined) continue;
    if (source.kind === 'option') options.push(...optionWords(source.option, name, value, form));
    else
      values.push(...(source.argument.variadic ? wordsIn(name, value, form) : [wordIn(name, value, form)]));
  }
  const printed = declaration.isPicture ? [] : ['--json'];
  const words = [
    ...declaration.command.split(' '),
    ...action.name,
    ...printed,
    ...(declaration.always ?? []),
    ...options,
    ...(values.length === 0 ? [] : ['--', ...values]),
  ];
  return { words, standardInput };
}

function formOf({ declaration }: ToolDefinition, name: string): InputForm {
  const form = declaration.inputs[name];
  if (form === undefined) throw new InputRefusal(`${name} has no form`);
  return inputForms[form];
}

function standardInputOf(
  { declaration }: ToolDefinition,
  inputs: Readonly<Record<string, unknown>>,
): string | undefined {
  if (declaration.standardInput === undefined) return undefined;
  const [name] = declaration.standardInput;
  const text = inputs[name];
  if (typeof text !== 'string' || text === '')
    throw new InputRefusal(`${name}: expected text, got ${shown(text)}`);
  if (text.length > longestStandardInput)
    throw new InputRefusal(
      `${name}: expected at most ${longestStandardInput} characters, got ${text.length}`,
    );
  return text;
}

interface ActionWords {
  readonly name: readonly string[];
  readonly options: readonly string[];
  readonly values: readonly string[];
}

function actionWords(tool: ToolDefinition, inputs: Readonly<Record<string, unknown>>): ActionWords {
  if (tool.actions.size === 0) return { name: [], options: [], values: [] };
  const name = wordIn('action', inputs.action, inputForms.word);
  const action = tool.actions.get(name);
  if (action === undefined)
    throw new InputRefusal(
      `action: expected one of ${[...tool.actions.keys()].join(', ')}, got ${shown(name)}`,
    );
  const { options = {} } = inputs;
  if (!isObject(options)) throw new InputRefusal(`options: expected an object, got ${shown(options)}`);
  const known = new Map(actionOptions(action).map((option) => [option.long?.slice(2) ?? '', option]));
  const given = Object.entries(options).flatMap(([flag, value]) => {
    const option = known.get(flag);
    if (option === undefined)
      throw new InputRefusal(
        `options: ${name} has no ${shown(flag)}; it has ${known.size === 0 ? 'none' : [...known.keys()].join(', ')}`,
      );
    return optionWords(
      option,
      `options.${flag}`,
      value,
      option.isBoolean() ? inputForms.switch : inputForms.text,
    );
  });
  return {
    name: [name],
    options: given,
    values: wordsIn('arguments', inputs.arguments ?? [], inputForms.text),
  };
}

function optionWords(option: Option, name: string, value: unknown, form: InputForm): string[] {
  if (option.isBoolean()) {
    if (typeof value !== 'boolean')
      throw new InputRefusal(`${name}: expected true or false, got ${shown(value)}`);
    return value && option.long ? [option.long] : [];
  }
  const typed = isRepeatable(option) ? wordsIn(name, value, form) : [wordIn(name, value, form)];
  return typed.map((word) => `${option.long}=${word}`);
}

/** A single word counts as a list of one. */
function wordsIn(name: string, value: unknown, form: InputForm): string[] {
  const list = Array.isArray(value) ? value : [value];
  if (list.length > mostWords)
    throw new InputRefusal(`${name}: expected at most ${mostWords} words, got ${list.length}`);
  return list.map((word) => wordIn(name, word, form));
}

function wordIn(name: string, value: unknown, { pattern, expected }: InputForm): string {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof text !== 'string' || !pattern.test(text))
    throw new InputRefusal(`${name}: expected ${expected}, got ${shown(value)}`);
  if (text.length > longestWord)
    throw new InputRefusal(`${name}: expected at most ${longestWord} characters, got ${text.length}`);
  return text;
}

/** A value as JSON, and of a long one the beginning. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  return JSON.stringify(value).slice(0, 100);
}

/** Returns a command line that can be pasted into a shell. */
export function shellLine(words: readonly string[]): string {
  return ['azimuth', ...words].map(quoted).join(' ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
