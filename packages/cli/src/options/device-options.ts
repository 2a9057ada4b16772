import { type Command, Option } from 'commander';
import { collect, numberOption, wholeNumberOption } from './option-values.js';

/** Options of every command that talks to a scanner. They may be before or after the arguments. */
export interface DeviceOptions {
  /** URLs, and behind an `@` names, patterns of names and groups. */
  readonly device?: readonly string[];
  readonly user?: string;
  readonly passwordFile?: string;
  /** How many scanners at the same time. */
  readonly atOnce?: number;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** Declares the options. They have no defaults here, so that omitted options can be distinguished from given ones. */
export function withDeviceOptions(command: Command): Command {
  return command
    .option(
      '--device <url>',
      'the scanner: http(s)://HOST[:PORT], or @NAME, @GROUP/* or @* of azimuth devices, or http://FLEET/scanners/PATTERN; repeatable. get, set and call also accept cola://HOST[:2111] and colab://HOST[:2112] (default: http://127.0.0.1:8080, env: AZIMUTH_DEVICE)',
      collect,
    )
    .option(
      '--user <level>',
      'log in as Maintenance, AuthorizedClient or Service (default: Service, env: AZIMUTH_USER)',
    )
    .option(
      '--password-file <file>',
      'read the password from this file (default: AZIMUTH_PASSWORD, otherwise you are asked)',
    )
    .addOption(
      new Option(
        '--at-once <scanners>',
        'of several scanners, serve so many at the same time (default: 16)',
      ).argParser(wholeNumberOption(1, 1000)),
    )
    .option('--quiet', 'do not tell on stderr what was done')
    .option('--json', 'print JSON');
}

/**
 * The options of a command as they were given. Of one that is given twice, the one nearer to the arguments counts, but
 * every `--device` does.
 */
export function deviceOptions<Options extends DeviceOptions>(command: Command): Options {
  const chain: Command[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) chain.unshift(at);
  const given = chain.map((each) => each.opts<Options>());
  const device = given.flatMap((each) => each.device ?? []);
  return Object.assign({}, ...given, device.length === 0 ? {} : { device });
}

/** Examples below the help of a command. */
export function withExamples(command: Command, ...examples: readonly string[]): Command {
  return command.addHelpText('after', ['', 'Examples:', ...examples.map((line) => `  ${line}`)].join('\n'));
}

/** Options of every command that talks to a control port. They may be before or after the arguments. */
export interface ControlOptions {
  readonly control?: string;
  readonly json?: boolean;
}

export function withControlOptions(command: Command): Command {
  return command
    .option(
      '--control <url>',
      'URL of the control port (default: http://127.0.0.1:9000, env: AZIMUTH_CONTROL)',
    )
    .option('--json', 'print JSON');
}

/**
 * The options of a command and those above it as they were given. Of one that is given twice, the one nearer to the
 * arguments counts.
 */
export function controlOptions<Options extends ControlOptions>(command: Command): Options {
  const chain: Command[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) chain.unshift(at);
  return Object.assign({}, ...chain.map((each) => each.opts<Options>()));
}

/** Options of commands that wait for a scanner. */
export interface TimeoutOptions {
  /** Seconds, as typed. */
  readonly timeout?: number;
}

/**
 * `--timeout`, without a default of its own: whoever types it means it.
 * @param text what the scanner may take so long for
 * @param usual the seconds without it, as help says them
 */
export function withTimeout(command: Command, text: string, usual: number): Command {
  return command.addOption(
    new Option('--timeout <seconds>', `${text} (default: ${usual})`).argParser(numberOption(0.1, 86_400)),
  );
}

/** As the client takes it: ms. */
export function timeoutOf({ timeout }: TimeoutOptions): { readonly timeoutMs?: number } {
  return { timeoutMs: timeout === undefined ? undefined : timeout * 1000 };
}
