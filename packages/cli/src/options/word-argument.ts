import { Argument } from 'commander';

/** What a word of a command line can be. */
export const wordKinds = [
  /** Nothing that could be listed. */
  'anything',
  'variable',
  /** A variable that can be written. */
  'parameter',
  'event',
  'method',
  /** A variable, method or file. */
  'describable',
  /** A value of the variable that is named before. */
  'value',
  /** A member of the request of the method that is named before. */
  'request',
  'level',
  /** A scanner: a name of the devices file behind an `@`. */
  'scanner',
  /** A name of the devices file. */
  'deviceName',
  'topic',
  'file',
  'folder',
] as const;

export type WordKind = (typeof wordKinds)[number];

/** Words to choose from, or a kind of them. */
export type Words = WordKind | readonly string[];

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
