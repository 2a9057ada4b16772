import { getSystemErrorMap } from 'node:util';
import { counted } from '@azimuth/model';

/** Meaning of the exit codes of the command: the one table that `azimuth --help` prints. */
export const exitCodes = {
  ok: { code: 0, text: 'done' },
  refused: {
    code: 1,
    text: 'the scanner refused, or cannot be started; or several failed for different reasons',
  },
  usage: { code: 2, text: 'wrong usage, or a value that is not allowed; nothing was changed' },
  unreachable: { code: 3, text: 'nothing answers at the URL, or what answers is not a scanner' },
  denied: { code: 4, text: 'access denied: wrong password, level disabled or too low, or logins locked' },
  differs: {
    code: 5,
    text: 'azimuth diff, azimuth apply --check or azimuth unsaved found differences, azimuth timing has findings, azimuth truth finds points wrong, or a scanner fails azimuth check',
  },
  internal: { code: 70, text: 'an error in this program' },
  output: { code: 74, text: 'the output cannot be written, for example because the disk is full' },
} as const;

/** Returns the table in lines for people. */
export const exitCodeLines: readonly string[] = Object.values(exitCodes).map(
  ({ code, text }) => `  ${String(code).padStart(2)}  ${text}`,
);

export type ExitCode = keyof typeof exitCodes;

/** A command cannot carry out a request. The message is one line for the user. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';

  constructor(
    message: string,
    readonly exitCode: ExitCode = 'usage',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** The printed messages, each on a line of its own. */
  get lines(): readonly string[] {
    return [this.message];
  }
}

/**
 * Returns the reaction to an error while a file is read: `readFile(path).catch(unreadable(path))`.
 * @param what names the file in the message
 * @returns a function that throws CommandFailure
 */
export function unreadable(what: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    const reason = error.code === 'ENOENT' ? 'there is no such file' : error.message;
    throw new CommandFailure(`${what} cannot be read: ${reason}`, 'usage', { cause: error });
  };
}

/** Returns the system's text of an error, without paths: `permission denied (EACCES)`; else its message. */
export function systemErrorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const known = 'errno' in error && typeof error.errno === 'number' ? error.errno : 0;
  const [code, text] = getSystemErrorMap().get(known) ?? [];
  return code === undefined ? error.message : `${text} (${code})`;
}

/** The error of one of several scanners. */
export interface TargetFailure {
  readonly label: string;
  readonly error: unknown;
}

/** A command failed with some of the scanners that it acted on. */
export class SeveralFailed extends Error {
  override readonly name = 'SeveralFailed';

  /** @param count number of scanners that the command acted on */
  constructor(
    readonly failures: readonly TargetFailure[],
    readonly count: number,
  ) {
    super(`${failures.length} of ${counted(count, 'scanner')} failed`);
  }

  /** Groups the failures by their error: scanners with the same reason are named together. */
  get grouped(): ReadonlyMap<unknown, readonly string[]> {
    const labels = new Map<unknown, string[]>();
    for (const { label, error } of this.failures) {
      const known = labels.get(error);
      if (known === undefined) labels.set(error, [label]);
      else known.push(label);
    }
    return labels;
  }
}
