import type { Command } from 'commander';

/** What every command that talks to a scanner understands, before and after its arguments. */
export interface DeviceOptions {
  readonly device?: string;
  readonly user?: string;
  readonly passwordFile?: string;
  readonly json?: boolean;
}

/** Declares the options. They have no defaults here, so that omitted options can be told from given ones. */
export function withDeviceOptions(command: Command): Command {
  return command
    .option(
      '--device <url>',
      'the scanner: http(s)://HOST[:PORT]; for get, set and call also cola://HOST[:2111] and colab://HOST[:2112] (AZIMUTH_DEVICE; default http://127.0.0.1:8080)',
    )
    .option(
      '--user <level>',
      'log in as Maintenance, AuthorizedClient or Service (AZIMUTH_USER; default Service)',
    )
    .option('--password-file <file>', 'read the password from a file (else AZIMUTH_PASSWORD, else a prompt)')
    .option('--json', 'print JSON, for machines');
}

/** The options of a command as they were given; what stands nearer to its arguments wins. */
export function deviceOptions(command: Command): DeviceOptions {
  let options: DeviceOptions = {};
  for (let at: Command | null = command; at !== null; at = at.parent) {
    options = { ...at.opts<DeviceOptions>(), ...options };
  }
  return options;
}

/** Examples below the help of a command. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText('after', ['', 'Examples:', ...examples.map((line) => `  ${line}`)].join('\n'));
}

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
