import { Argument } from 'commander';
import type { WordKind } from './completion-table.js';

/** An argument whose words the completion of shells cannot tell from its name. */
export class WordArgument extends Argument {
  /**
   * @param name as Argument takes it: `<name>`, `[name...]`
   * @param words what it can be
   */
  constructor(
    name: string,
    description: string,
    readonly words: WordKind,
  ) {
    super(name, description);
  }
}
