import { pause } from '@azimuth/async';
import type { LogEntry, LogQuery } from '@azimuth/monitor';
import { type LogPlaceOptions, logPlace } from '../log/log-place.js';
import type { LogReader } from '../log/log-reader.js';
import { openReader } from '../log/open-log.js';
import { jsonText, print, untilInterrupted } from '../output/output.js';
import { chosenNames } from './chosen-names.js';
import { EntryLines } from './entry-lines.js';

export interface LogCommandOptions extends LogPlaceOptions {
  readonly device?: readonly string[];
  /** ms since 1970-01-01 UTC. */
  readonly since?: number;
  readonly until?: number;
  readonly parameter?: string;
  readonly kind?: readonly LogEntry['kind'][];
  readonly condition?: string;
  readonly limit?: number;
  readonly follow?: boolean;
  readonly json?: boolean;
}

/** Without a start and a limit, the last day is read. */
const usualLength = 86_400_000;
/** ms between two looks for new entries. */
const followInterval = 1000;

/** `azimuth log`: prints entries of the log. */
export async function runLog(options: LogCommandOptions): Promise<void> {
  const { parameter, condition, until, limit, kind: kinds } = options;
  const isBounded = [options.since, until, limit].some((bound) => bound !== undefined);
  const since = isBounded ? options.since : Date.now() - usualLength;
  const scanner = await chosenNames(options.device);
  const query = { since, until, parameter, kinds, condition, scanner, limit };
  const reader = await openReader(logPlace(options));
  try {
    if (options.follow === true) await untilInterrupted((signal) => follow(reader, query, options, signal));
    else await printEntries(reader.next(query), printerOf(options));
  } finally {
    await reader.close();
  }
}

async function follow(
  reader: LogReader,
  query: LogQuery,
  options: LogCommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const lineOf = printerOf(options);
  await printEntries(reader.next(query), lineOf, signal);
  // The limit is about what is there already.
  const further = { ...query, limit: undefined };
  while (!signal.aborted) {
    await pause(followInterval, signal);
    if (!signal.aborted) await printEntries(reader.next(further), lineOf, signal);
  }
}

/** Lines are printed in pieces of this many characters. */
const piece = 16_384;

async function printEntries(
  entries: AsyncIterable<LogEntry>,
  lineOf: (entry: LogEntry) => string,
  signal?: AbortSignal,
): Promise<void> {
  let text = '';
  for await (const entry of entries) {
    if (signal?.aborted === true) return;
    text += `${lineOf(entry)}\n`;
    if (text.length < piece) continue;
    await print(text, signal);
    text = '';
  }
  if (text !== '') await print(text, signal);
}

function printerOf({ json }: LogCommandOptions): (entry: LogEntry) => string {
  if (json === true)
    return ({ id, at, ...entry }) => jsonText({ time: new Date(at).toISOString(), id, at, ...entry });
  const lines = new EntryLines();
  return (entry) => lines.lineOf(entry);
}
