import { z } from 'zod';
import { healths } from '../options/command.js';

/** Version of the layout of journals. */
export const journalVersion = 1;

const time = z.iso.datetime();
const label = z.string().min(1).max(2000);

/** The number of problems of each check of azimuth doctor that has any. */
const problems = z.record(z.string(), z.number().int().min(1));
export type Problems = z.infer<typeof problems>;

const headForm = z.strictObject({
  rollout: z.literal(journalVersion),
  at: time,
  command: z.string(),
  words: z.array(z.string()),
  facts: z.record(z.string(), z.string()),
  scanners: z.array(z.strictObject({ scanner: label, url: z.string() })).min(1),
  rolling: z.number().int().min(1),
  pause: z.number().min(0),
  health: z.enum(healths),
});

/** The first line of a journal: what is done, and where. */
export type JournalHead = z.infer<typeof headForm>;

const entryForm = z.discriminatedUnion('state', [
  /** A process works with the journal from here on. */
  z.strictObject({ state: z.literal('running'), at: time, pid: z.number().int(), host: z.string() }),
  /** The change of a scanner begins. `before` is what was read to judge it, `problems` is its health. */
  z.strictObject({
    state: z.literal('begun'),
    at: time,
    scanner: label,
    before: z.record(z.string(), z.unknown()),
    problems: problems.nullable(),
  }),
  /** The change is in force. `verified`: it was in doubt, and the scanner was read. */
  z.strictObject({ state: z.literal('done'), at: time, scanner: label, verified: z.boolean() }),
  z.strictObject({ state: z.literal('failed'), at: time, scanner: label, error: z.string() }),
  /** The process has ended by itself. */
  z.strictObject({ state: z.literal('ended'), at: time }),
]);

/** A further line of a journal. */
export type JournalEntry = z.infer<typeof entryForm>;

/** Returns the head of a journal in a line; undefined for any other line. */
export function headIn(line: string): JournalHead | undefined {
  return headForm.safeParse(jsonIn(line)).data;
}

/** Returns the entry in a line; undefined for any other line. */
export function entryIn(line: string): JournalEntry | undefined {
  return entryForm.safeParse(jsonIn(line)).data;
}

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
