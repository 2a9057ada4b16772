import type { Command } from 'commander';

/**
 * Returns the arguments with `--device` in front of each word that names a scanner: `get @gate3 LocationName`. Such
 * words begin with an `@`, and are the first ones of the program or of a command. After other words they are values.
 */
export function withNamedDevices(program: Command, argv: readonly string[]): string[] {
  const named: string[] = [];
  let command = program;
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    const below = command.commands.find((each) => each.name() === word);
    if (below !== undefined) {
      command = below;
    } else if (word.startsWith('@') && acceptsDevices(command)) {
      named.push('--device');
    } else if (word.startsWith('-') && word !== '--' && word !== '-') {
      const option = command.options.find(({ short, long }) => word === short || word === long);
      if (option?.required === true && at + 1 < argv.length) named.push(argv[at++] ?? '');
      named.push(argv[at] ?? '');
      continue;
    } else {
      return [...named, ...argv.slice(at)];
    }
    named.push(word);
  }
  return named;
}

function acceptsDevices(command: Command): boolean {
  return command.options.some(({ long }) => long === '--device');
}
