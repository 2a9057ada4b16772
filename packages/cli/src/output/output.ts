import { exitCodes } from '../command-failure.js';
import { onClosedReader } from './closed-reader.js';

/**
 * Characters that a terminal obeys, or that make a line look like another one: control characters (C0 and C1), directions of
 * writing and others without a form (Cf), separators of lines, halves of characters.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Makes a text of unknown origin safe for a terminal: what it would obey is written as escapes. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, escaped);
}

/** JSON in one line that is safe for a terminal, too: JSON.stringify leaves C1 and directions of writing as they are. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent) ?? 'null';
  // Indented JSON has line feeds of its own; those of its texts are escaped already.
  return text.replaceAll(unprintable, (character) => (character === '\n' ? character : escaped(character)));
}

/** As JSON writes them: in units of UTF-16. */
function escaped(character: string): string {
  let escapes = '';
  for (let at = 0; at < character.length; at++)
    escapes += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return escapes;
}

/** Do the arguments ask for JSON? Known also where they are wrong. Behind `--` are values; that of `serve` is another. */
export function asksForJson(argv: readonly string[]): boolean {
  if (argv[0] === 'serve') return false;
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? argv.length : end).includes('--json');
}

/** What a failure prints on stderr: a line for people, or with `--json` an object. */
export function errorLine(
  message: string,
  { json, exitCode, scanner }: { json: boolean; exitCode: number; scanner?: string | undefined },
): string {
  if (json) return jsonText({ scanner, error: message, exitCode });
  return `azimuth: ${scanner === undefined ? '' : `${printable(scanner)}: `}${message}`;
}

/** A remark for the person at the terminal, on stderr: one line, also if it is of unknown origin. */
export function note(line: string): void {
  process.stderr.write(`azimuth: ${printable(line)}\n`);
}

/** Ends the command when the reader of its output is gone (`azimuth get --all | head`). */
export function exitWhenOutputCloses(): void {
  if (!process.stdout.listeners('error').includes(end)) process.stdout.on('error', end);
  outlive(process.stderr);
}

/** Keeps a program running that has other work than its output when the reader of its output is gone. */
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

/** They end a command. */
export const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs an action until it is interrupted: Ctrl-C, another signal, or a closed output abort the
 * signal instead of ending the process, so that settings are put back and files closed. A second Ctrl-C ends it hard.
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
  const stopLooking = onClosedReader(interrupt);
  try {
    return await act(abort.signal);
  } catch (error) {
    // What waits on the signal ends with its reason.
    if (abort.signal.aborted && error === abort.signal.reason) return undefined;
    throw error;
  } finally {
    stop();
    stopLooking();
    process.stdout.off('error', interrupt);
    exitWhenOutputCloses();
  }
}
