import { firstTables } from './001-first-tables.js';

export interface Migration {
  /** From 1 on, without a gap. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** All of them, in their order. One that has been released is never changed: the next one changes what it made. */
export const migrations: readonly Migration[] = [{ number: 1, name: 'first tables', sql: firstTables }];
