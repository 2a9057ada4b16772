import { jsonText, printable } from '@azimuth/wording';
import { exitCodes } from '../command-failure.js';
import { onClosedReader } from './closed-reader.js';

export { jsonText, printable };

/**
 * True if the arguments request JSON, even if they are wrong. Words after `--` are values; `serve` has another --json.
 */
export function asksForJson(argv: readonly string[]): boolean {
  if (argv[0] === 'serve') return false;
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? argv.length : end).includes('--json');
}

/** Returns the output of a failure on stderr: a line for people, or with `--json` an object. */
export function errorLine(
  message: string,
  { json, exitCode, scanner }: { json: boolean; exitCode: number; scanner?: string | undefined },
): string {
  if (json) return jsonText({ scanner, error: message, exitCode });
  return `azimuth: ${scanner === undefined ? '' : `${printable(scanner)}: `}${message}`;
}

/** Prints a remark for the person at the terminal, on stderr: one line, also if it is of unknown origin. */
export function remark(line: string): void {
  process.stderr.write(`azimuth: ${printable(line)}\n`);
}

/** Ends the command when the reader of its output has closed it (`azimuth get --all | head`). */
export function exitWhenOutputCloses(): void {
  if (!process.stdout.listeners('error').includes(end)) process.stdout.on('error', end);
  outlive(process.stderr);
}

/** Ignores a closed output, for a program with other work. */
export function ignoreClosedOutput(): void {
  process.stdout.off('error', end);
  outlive(process.stdout);
  outlive(process.stderr);
}

function outlive(stream: NodeJS.WriteStream): void {
  if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
}

function end(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(exitCodes.ok.code);
  process.stderr.write(`azimuth: the output cannot be written: ${error.message}\n`);
  process.exit(exitCodes.output.code);
}

function ignore(): void {}

const over = ['drain', 'error', 'close'] as const;

/**
 * Writes to standard output, and waits for a slow reader, but not for a closed output.
 * @param signal ends the waiting
 */
export function print(text: string | Uint8Array, signal?: AbortSignal): Promise<void> {
  const { stdout } = process;
  if (stdout.write(text) || !stdout.writable || signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const go = () => {
      for (const name of over) stdout.off(name, go);
      signal?.removeEventListener('abort', go);
      resolve();
    };
    for (const name of over) stdout.on(name, go);
    signal?.addEventListener('abort', go);
  });
}

/** Signals that end a command. */
export const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs an action until it is interrupted: Ctrl-C, another signal, or a closed output abort the signal instead of
 * ending the process, so that settings are restored and files closed. A second Ctrl-C ends it at once.
 */
export async function untilInterrupted<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const abort = new AbortController();
  const interrupt = () => {
    stop();
    abort.abort();
  };
  const stop = () => {
    for (const name of signals) process.off(name, interrupt);
  };
  for (const name of signals) process.on(name, interrupt);
  ignoreClosedOutput();
  process.stdout.on('error', interrupt);
  const stopPolling = onClosedReader(interrupt);
  try {
    return await act(abort.signal);
  } catch (error) {
    // A wait on the signal rejects with its reason.
    if (abort.signal.aborted && error === abort.signal.reason) return undefined;
    throw error;
  } finally {
    stop();
    stopPolling();
    process.stdout.off('error', interrupt);
    exitWhenOutputCloses();
  }
}
