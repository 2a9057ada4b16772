import { allEndpoints, allFiles } from '@azimuth/model';
import { nearestName } from '@azimuth/wording';
import { type Command as AnyCommand, Option } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { type Topic, topics } from '../help/topics.js';
import type { Command } from '../options/command.js';
import type { CommandEntry } from '../program.js';
import { createProgram } from '../program.js';

/** `azimuth help`: the help of a command, or a topic. */
export function defineCommand(command: Command, commands: readonly CommandEntry[]): Command {
  return (
    command
      .description(
        `Explain a command or a topic. Topics: ${topics.map(({ name }) => name).join(', ')}. Without a word, list all commands and topics.`,
      )
      .argument('[topic...]', 'a command, with its subcommand if it has any, or a topic')
      // As for other commands, failures are JSON with --json.
      .addOption(new Option('--json').hideHelp())
      .action((words: string[]) => help(words, commands, command))
      .withExamples('azimuth help', 'azimuth help set', 'azimuth help users enable', 'azimuth help passwords')
  );
}

async function help(
  words: readonly string[],
  commands: readonly CommandEntry[],
  own: Command,
): Promise<void> {
  const [word, ...below] = words;
  if (word === undefined) {
    process.stdout.write(`${own.parent?.helpInformation() ?? ''}\n${listOfTopics()}\n`);
    return;
  }
  const topic = topics.find(({ name }) => name === word);
  if (topic !== undefined && below.length === 0) {
    process.stdout.write(`${topicText(topic)}\n`);
    return;
  }
  const entry = commands.find(({ name }) => name === word);
  if (entry === undefined) throw unknownTopic(word, commands);
  let command = await entry.load();
  createProgram([command]);
  for (const name of below) {
    const inner: AnyCommand | undefined = command.commands.find((each) => each.name() === name);
    if (inner === undefined) throw unknownBelow(name, command);
    command = inner;
  }
  command.outputHelp();
}

function unknownBelow(word: string, command: AnyCommand): CommandFailure {
  const names = command.commands.map((each) => each.name());
  const suggestion = nearestName(word, names) ?? names.join(', ');
  const hint = names.length === 0 ? 'it has no subcommands' : `did you mean ${suggestion}?`;
  return new CommandFailure(`azimuth ${command.name()} has no subcommand "${word}"; ${hint}`);
}

function topicText({ name, summary, lines }: Topic): string {
  return [`${name}: ${summary}`, '', ...lines].join('\n');
}

function listOfTopics(): string {
  const rows = topics.map(({ name, summary }) => `  ${name.padEnd(38)}${summary}`);
  return ['Topics of azimuth help:', ...rows].join('\n');
}

function unknownTopic(word: string, commands: readonly CommandEntry[]): CommandFailure {
  const known = [...commands, ...topics].map(({ name }) => name);
  if ([...allEndpoints, ...allFiles].some(({ name }) => name === word)) {
    return new CommandFailure(`${word} is a name of the interface: azimuth describe ${word}`);
  }
  const suggestion = nearestName(word, known);
  const question = suggestion === undefined ? '; azimuth help lists them' : `; did you mean ${suggestion}?`;
  return new CommandFailure(`there is no command or topic "${word}"${question}`);
}
