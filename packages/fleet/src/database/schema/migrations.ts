import { firstTables } from './001-first-tables.js';

export interface Migration {
  /** From 1 on, without a gap. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  /**
   * The oldest program that works with the tables after it, by the number of migrations that it knows. One that only adds leaves
   * it as it was. One that takes something away raises it, to a program before its own that no longer uses this.
   */
  readonly oldestProgram: number;
}

/** All of them, in their order. One that has been released is never changed: the next one changes what it made. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'first tables', sql: firstTables, oldestProgram: 1 },
];
