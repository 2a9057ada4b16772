import { Argument } from 'commander';

/** Kinds of words of a command line. */
export const wordKinds = [
  /** Nothing that can be listed. */
  'anything',
  'variable',
  /** A writable variable. */
  'parameter',
  'event',
  'method',
  /** A variable, method or file. */
  'describable',
  /** A value of the variable before it. */
  'value',
  /** A member of the request of the method before it. */
  'request',
  'level',
  /** A scanner: a name of the devices file after an `@`. */
  'scanner',
  /** A name of the devices file. */
  'deviceName',
  'topic',
  'file',
  'folder',
] as const;

export type WordKind = (typeof wordKinds)[number];

/** Fixed words, or a kind of words. */
export type Words = WordKind | readonly string[];

/** An argument whose name does not tell the completion of shells its words. */
export class WordArgument extends Argument {
  /**
   * @param name in the form of Argument: `<name>`, `[name...]`
   * @param words its candidates
   */
  constructor(
    name: string,
    description: string,
    readonly words: WordKind,
  ) {
    super(name, description);
  }
}
