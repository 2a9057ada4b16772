import type { Command } from 'commander';

/** What every command that talks to a control port understands, before and after its arguments. */
export interface ControlOptions {
  readonly control?: string;
  readonly json?: boolean;
}

export function withControlOptions(command: Command): Command {
  return command
    .option(
      '--control <url>',
      'the control port of the scanner (AZIMUTH_CONTROL; default http://127.0.0.1:9000)',
    )
    .option('--json', 'print JSON, for machines');
}

/** The options of a command and those above it as they were given; what stands nearer to its arguments wins. */
export function controlOptions<Options extends ControlOptions>(command: Command): Options {
  const chain: Command[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) chain.unshift(at);
  return Object.assign({}, ...chain.map((each) => each.opts<Options>()));
}
