import { builtInInterface, loginLevels } from '@azimuth/model';
import type { Argument, Command, Option } from 'commander';
import { topics } from '../help/topics.js';
import { WordArgument, type WordKind, type Words, wordKinds } from '../options/word-argument.js';
import { wordsOfNames } from '../scanners/names-for-completion.js';
import type { CommandWords, CompletionTable, OptionWords } from './completion-table.js';

/** Makes the table of candidates from the commands and the model. */
export function completionTable(program: Command): CompletionTable {
  return {
    program: commandWords(program),
    usages: Object.fromEntries(program.commands.map((command) => [command.name(), command.usage()])),
    ...wordsOfNames(builtInInterface),
    files: Object.fromEntries(builtInInterface.files.map(({ name, facts }) => [name, facts.text])),
    levels: loginLevels,
    topics: Object.fromEntries(topics.map(({ name, summary }) => [name, summary])),
  };
}

function commandWords(command: Command): CommandWords {
  return {
    name: command.name(),
    text: command.summary() || command.description(),
    options: command.options.filter(({ hidden }) => !hidden).map(optionWords),
    commands: command.commands.map(commandWords),
    arguments: command.registeredArguments.map(argumentWords),
  };
}

function optionWords(option: Option): OptionWords {
  const { long, short, description } = option;
  const name = long ?? short ?? '';
  const [, placeholder = ''] = /[<[]([^\]>]+)[\]>]/.exec(option.flags) ?? [];
  if (placeholder === '') return { name, text: description };
  if (name === '--device') return { name, text: description, takes: 'scanner' };
  const takes = option.argChoices ?? placeholderKind(placeholder);
  return { name, text: description, takes };
}

function argumentWords(argument: Argument): Words {
  if (argument instanceof WordArgument) return argument.words;
  return argument.argChoices ?? placeholderKind(argument.name());
}

/** Returns the kind of a placeholder, from its end: `<level>`, `<name or file>`. */
function placeholderKind(placeholder: string): WordKind {
  const last = placeholder.split(' ').at(-1);
  return wordKinds.find((kind) => kind === last) ?? 'anything';
}
