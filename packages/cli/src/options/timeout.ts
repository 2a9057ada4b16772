import { type Command, Option } from 'commander';
import { numberOption } from './option-values.js';

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
