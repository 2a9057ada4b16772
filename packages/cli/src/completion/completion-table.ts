import { readFileSync } from 'node:fs';
import type { Words } from '../options/word-argument.js';
import type { NamesOfInterface } from '../scanners/names-for-completion.js';

export interface OptionWords {
  readonly name: string;
  readonly text: string;
  /** Candidates for its value; undefined if it has none. */
  readonly takes?: Words;
}

export interface CommandWords {
  readonly name: string;
  readonly text: string;
  readonly options: readonly OptionWords[];
  readonly commands: readonly CommandWords[];
  /** Its arguments; the last one may be repeated. */
  readonly arguments: readonly Words[];
}

/**
 * All data that the completion of a shell needs. It is made when the program is bundled, so that the completion loads
 * neither the commands nor the model.
 */
export interface CompletionTable extends NamesOfInterface {
  readonly program: CommandWords;
  /** The usage after each command in `azimuth --help`: `[options] [name...]`. */
  readonly usages: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  readonly levels: readonly string[];
  /** Topics of `azimuth help`, with a line of text. */
  readonly topics: Readonly<Record<string, string>>;
}

const madeFile = new URL('../../bundle/completion.json', import.meta.url);

/** Returns the table that was made when the program was bundled; undefined if it was not. */
export function madeTable(): CompletionTable | undefined {
  try {
    return JSON.parse(readFileSync(madeFile, 'utf8'));
  } catch {
    return undefined;
  }
}
