import type { LogEntry } from './log-entry.js';
import type { LogQuery } from './log-store.js';

/** Returns a function that is true for entries that a query wants. It does not count them. */
export function matcherOf(query: LogQuery): (entry: LogEntry) => boolean {
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, scanner } = query;
  const kinds = query.kinds === undefined ? undefined : new Set(query.kinds);
  const parameter = query.parameter === undefined ? undefined : pathPattern(query.parameter);
  const condition = query.condition === undefined ? undefined : wordPattern(query.condition);
  return (entry) =>
    entry.at >= since &&
    entry.at <= until &&
    (kinds?.has(entry.kind) ?? true) &&
    (scanner?.(entry.scanner) ?? true) &&
    (parameter === undefined || pathsOf(entry).some((path) => parameter.test(path))) &&
    (condition === undefined || (entry.kind === 'condition' && condition.test(entry.condition))) &&
    (query.entry?.(entry) ?? true);
}

/** The paths of parameters that an entry is about. */
function pathsOf(entry: LogEntry): readonly string[] {
  if (entry.kind === 'parameter') return [entry.parameter];
  return entry.kind === 'command' ? entry.wrote : [];
}

/** Returns the expression of a pattern with `*`. A name also means its members. */
export function pathPattern(pattern: string): RegExp {
  return new RegExp(`^${expressionOf(pattern)}($|[.[])`);
}

function wordPattern(pattern: string): RegExp {
  return new RegExp(`^${expressionOf(pattern)}$`);
}

/** Stars in a row are one: `**…` would take exponential time. */
function expressionOf(pattern: string): string {
  const parts = pattern.split(/\*+/).map((part) => part.replaceAll(/[^\w]/g, '\\$&'));
  return parts.join('.*');
}
