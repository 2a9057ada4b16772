import {
  allFiles,
  allMethods,
  allVariables,
  EventVariable,
  extensionPrefix,
  extensionVariables,
  loginLevels,
  type Shape,
} from '@azimuth/model';
import type { Argument, Command, Option } from 'commander';
import { topics } from '../help/topics.js';
import type { CommandWords, CompletionTable, OptionWords, ValueWords, Words } from './completion-table.js';

/** What words mean that a placeholder does not name clearly, by command and placeholder. */
const byCommand: Readonly<Record<string, Words>> = {
  'get name': 'variable',
  'set name': 'parameter',
  'set value': 'value',
  'call request': 'request',
  'describe name': 'describable',
  'devices show name': 'deviceName',
  'devices list name': 'deviceName',
  'devices remove name': 'deviceName',
  'devices group name': 'deviceName',
  'devices group group': 'deviceName',
  'gui url': 'scanner',
  'help topic': 'topic',
};

/** What the placeholders of arguments and options mean. */
const byPlaceholder: Readonly<Record<string, Words>> = {
  file: 'file',
  'name or file': 'file',
  folder: 'folder',
  level: 'level',
  method: 'method',
  event: 'event',
};

/** What can be typed, from the commands and the model. */
export function completionTable(program: Command): CompletionTable {
  const variables = [
    ...allVariables.map((variable) => [variable.name, variable] as const),
    ...extensionVariables.map((variable) => [extensionPrefix + variable.name, variable] as const),
  ];
  return {
    program: commandWords(program, ''),
    variables: Object.fromEntries(
      variables.map(([name, variable]) => [
        name,
        {
          text: variable.facts.text,
          isParameter: variable.facts.write !== undefined,
          isEvent: variable instanceof EventVariable && !name.startsWith(extensionPrefix),
          value: valueWords(variable.type.shape),
        },
      ]),
    ),
    methods: Object.fromEntries(
      allMethods.map(({ name, facts, request }) => [
        name,
        { text: facts.text, request: valueWords(request.shape) },
      ]),
    ),
    files: Object.fromEntries(allFiles.map(({ name, facts }) => [name, facts.text])),
    levels: loginLevels,
    topics: Object.fromEntries(topics.map(({ name, summary }) => [name, summary])),
  };
}

function commandWords(command: Command, path: string): CommandWords {
  const place = path === '' ? command.name() : `${path} ${command.name()}`;
  const below = path === '' ? '' : place;
  return {
    name: command.name(),
    text: command.summary() || command.description(),
    options: command.options.filter(({ hidden }) => !hidden).map(optionWords),
    commands: command.commands.map((each) => commandWords(each, path === '' ? 'azimuth' : below)),
    arguments: command.registeredArguments.map((argument) => argumentWords(argument, place)),
  };
}

function optionWords(option: Option): OptionWords {
  const { long, short, description } = option;
  const name = long ?? short ?? '';
  const [, placeholder = ''] = /[<[]([^\]>]+)[\]>]/.exec(option.flags) ?? [];
  if (placeholder === '') return { name, text: description };
  if (name === '--device') return { name, text: description, takes: 'scanner' };
  const takes = option.argChoices ?? byPlaceholder[placeholder] ?? 'anything';
  return { name, text: description, takes };
}

function argumentWords(argument: Argument, place: string): Words {
  const name = argument.name();
  const command = place.replace(/^azimuth /, '');
  return argument.argChoices ?? byCommand[`${command} ${name}`] ?? byPlaceholder[name] ?? 'anything';
}

function valueWords(shape: Shape): ValueWords {
  switch (shape.kind) {
    case 'boolean':
      return ['on', 'off'];
    case 'enumeration':
      return Object.keys(shape.values);
    case 'levelName':
      return loginLevels;
    case 'struct':
      return {
        members: Object.fromEntries(
          Object.entries(shape.members).map(([name, member]) => [name, valueWords(member.shape)]),
        ),
      };
    case 'array':
      return { items: valueWords(shape.of), count: shape.maxItems };
    default:
      return [];
  }
}
