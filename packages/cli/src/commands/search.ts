import { allEndpoints, allFiles, extensionPrefix, extensionVariables, mentions } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import type { Command, DeviceOptions } from '../options/command.js';
import { jsonText } from '../output/output.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Search the names and descriptions of variables, methods and files. This needs no scanner. If nothing is found, the exit code is 1.',
    )
    .argument('<word...>', 'words that all have to be in the name, the group or the description')
    .option('--json', 'print JSON')
    .action(async (words: string[]) => {
      search(words, command.allOptions());
    })
    .withExamples('azimuth search temperature', 'azimuth search scan data port', 'azimuth search ntp --json');
}

/** Prints all entries that contain every word, a line each. */
function search(words: readonly string[], { json = false }: DeviceOptions): void {
  const matches = [
    ...allEndpoints.map((endpoint) => ({ name: endpoint.name, endpoint })),
    ...extensionVariables.map((endpoint) => ({ name: extensionPrefix + endpoint.name, endpoint })),
    ...allFiles.map((endpoint) => ({ name: endpoint.name, endpoint })),
  ]
    .filter(({ endpoint }) => mentions(endpoint, words.join(' ')))
    .map(({ name, endpoint: { kind, group, facts } }) => ({ name, kind, group, text: facts.text }));
  if (matches.length === 0) throw new CommandFailure(`nothing mentions "${words.join(' ')}"`, 'refused');
  const width = Math.max(...matches.map(({ name }) => name.length));
  const kindWidth = Math.max(...matches.map(({ kind }) => kind.length));
  const lines = matches.map(
    ({ name, kind, text }) => `${name.padEnd(width)}  ${kind.padEnd(kindWidth)}  ${text}`,
  );
  process.stdout.write(json ? `${jsonText(matches)}\n` : `${lines.join('\n')}\n`);
}
