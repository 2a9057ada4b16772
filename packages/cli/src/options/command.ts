import { Command as AnyCommand, Option } from 'commander';
import { collect, numberOption, wholeNumberOption } from './option-values.js';

/** Options of every command for scanners. They may be before or after the arguments. */
export interface DeviceOptions {
  /** URLs, or, after an `@`, names, patterns of names and groups. */
  readonly device?: readonly string[];
  readonly user?: string;
  readonly passwordFile?: string;
  /** Number of scanners at the same time. */
  readonly atOnce?: number;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** Options of every command for a control port. They may be before or after the arguments. */
export interface ControlOptions {
  readonly control?: string;
  readonly json?: boolean;
}

/** Options of commands that transfer files, in addition to the options of every command. */
export interface TransferOptions extends DeviceOptions {
  readonly force?: boolean;
  readonly yes?: boolean;
  readonly progress?: boolean;
  readonly passphraseFile?: string;
}

/** Checks after each scanner of a rollout. */
export const healths = ['doctor', 'none'] as const;

/** Options of commands that can serve several scanners in steps. */
export interface RolloutOptions extends DeviceOptions {
  /** Number of scanners of a step. */
  readonly rolling?: number;
  /** Seconds between two steps. */
  readonly pause?: number;
  readonly health?: (typeof healths)[number];
  /** Seconds that a scanner has until it is as healthy as before. */
  readonly settle?: number;
  readonly journal?: string;
  /** The journal of the run that goes on. */
  readonly resume?: string;
}

/** Options of commands that wait for a scanner. */
export interface TimeoutOptions {
  /** Seconds, as typed. */
  readonly timeout?: number;
}

/**
 * A command with shared options. These have no defaults here, so that omitted options can be distinguished from given
 * ones.
 */
export class Command extends AnyCommand {
  /** Adds {@link DeviceOptions}. */
  withDeviceOptions(): this {
    return this.option(
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

  /** Adds {@link ControlOptions}. */
  withControlOptions(): this {
    return this.option(
      '--control <url>',
      'URL of the control port (default: http://127.0.0.1:9000, env: AZIMUTH_CONTROL)',
    ).option('--json', 'print JSON');
  }

  withProgress(): this {
    return this.option('--progress', 'show progress even if stderr is not a terminal');
  }

  withForce(): this {
    return this.option('--force', 'replace an existing file');
  }

  withYes(): this {
    return this.option('--yes', 'do not ask for confirmation');
  }

  withPassphrase(): this {
    return this.option(
      '--passphrase-file <file>',
      'read the passphrase from this file (default: AZIMUTH_PASSPHRASE, otherwise none)',
    );
  }

  /** Adds the options of commands that can serve several scanners in steps. */
  withRollout(): this {
    return this.addOption(
      new Option(
        '--rolling <scanners>',
        'so many scanners at a time, one step after the other; the first failure ends the run. A journal tells what is done',
      ).argParser(wholeNumberOption(1, 1000)),
    )
      .addOption(
        new Option('--pause <seconds>', 'with --rolling, wait between two steps (default: 0)').argParser(
          numberOption(0, 86_400),
        ),
      )
      .addOption(
        new Option(
          '--health <checks>',
          'with --rolling, what is looked at after each scanner: doctor ends the run if there is a new problem',
        ).choices(healths),
      )
      .addOption(
        new Option(
          '--settle <seconds>',
          'with --rolling, how long a scanner may take until it is as healthy as before (default: 120)',
        ).argParser(numberOption(0, 86_400)),
      )
      .option(
        '--journal <file>',
        'with --rolling, the journal of the run (default: azimuth-rollout-COMMAND-TIME.jsonl in this folder)',
      )
      .option('--resume <file>', 'go on with the run of this journal, where it broke off');
  }

  /** Returns the arguments of the program, as given. */
  get words(): readonly string[] {
    let root: AnyCommand = this;
    while (root.parent !== null) root = root.parent;
    // Commander keeps them, and does not declare it.
    const words: unknown = Reflect.get(root, 'rawArgs');
    return Array.isArray(words) ? words.filter((word) => typeof word === 'string') : [];
  }

  /**
   * Adds `--timeout`.
   * @param text the action that it limits
   * @param usual the default in seconds, for the help
   */
  withTimeout(text: string, usual: number): this {
    return this.addOption(
      new Option('--timeout <seconds>', `${text} (default: ${usual})`).argParser(numberOption(0.1, 86_400)),
    );
  }

  /** Adds examples below its help. */
  withExamples(...examples: readonly string[]): this {
    return this.addHelpText('after', ['', 'Examples:', ...examples.map((line) => `  ${line}`)].join('\n'));
  }

  /**
   * Returns its options, and those of the commands above it, as given. If an option is given twice, the one nearer to
   * the arguments counts. All `--device` options count.
   */
  allOptions<Options extends object>(): Options {
    const chain: AnyCommand[] = [];
    for (let at: AnyCommand | null = this; at !== null; at = at.parent) chain.unshift(at);
    const chainOptions = chain.map((each) => each.opts<DeviceOptions>());
    const device = chainOptions.flatMap((each) => each.device ?? []);
    return Object.assign({}, ...chainOptions, device.length === 0 ? {} : { device });
  }
}

/** Returns the time limit for the client, in ms. */
export function clientTimeout({ timeout }: TimeoutOptions): { readonly timeoutMs?: number } {
  return { timeoutMs: timeout === undefined ? undefined : timeout * 1000 };
}
