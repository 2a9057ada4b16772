import { builtInInterface, type KnownInterface, mentions } from '@azimuth/model';
import { CommandFailure } from '../command-failure.js';
import type { Command, DeviceOptions } from '../options/command.js';
import { jsonText } from '../output/output.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Search the names and descriptions of variables, methods and files. This needs no scanner. If you name one, the names that only this scanner knows are searched, too. If nothing is found, the exit code is 1.',
    )
    .argument('<word...>', 'words that all have to be in the name, the group or the description')
    .action((words: string[]) => search(words, command.allOptions()))
    .withDeviceOptions()
    .withExamples(
      'azimuth search temperature',
      'azimuth search scan data port',
      'azimuth search ntp --json',
      'azimuth search @gate3 laser',
    );
}

/** Returns the names that the scanners of the options describe. Without a scanner, the client is not loaded. */
async function describedNames(options: DeviceOptions): Promise<KnownInterface> {
  const { chosenScanners } = await import('../scanners/chosen.js');
  const { describedBy } = await import('../scanners/described.js');
  return describedBy((await chosenScanners(options)).targets);
}

/** Prints all entries that contain every word, a line each. */
async function search(words: readonly string[], options: DeviceOptions): Promise<void> {
  const { json = false, device } = options;
  const known = device === undefined ? builtInInterface : await describedNames(options);
  const matches = [
    ...known.named.map(({ name, variable }) => ({ name, endpoint: variable })),
    ...[...known.methods, ...known.files].map((endpoint) => ({ name: endpoint.name, endpoint })),
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
