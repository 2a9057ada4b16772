/** Something that a check has changed and could not put back. */
export interface Leftover {
  /** The variable; undefined if it is something else. */
  readonly name?: string;
  /** In words: `LocationName was "hall": no answer within 5 s`. */
  readonly what: string;
  /** Command for a terminal that puts it back. */
  readonly command: string;
}
