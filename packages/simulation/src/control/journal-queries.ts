import { ControlRefused, type DescribedQuery } from '@azimuth/device/control';
import { mostEntries, type ScannerJournal } from '../journal/index.js';

/** Entries in a response, if the query states no other number. */
const usualEntries = 1000;

const count = { type: 'integer', minimum: 0 };
const text = { type: 'string' };

/** JSON Schema of an entry: the members that all have, and the kinds of entries. */
const entry = {
  type: 'object',
  properties: {
    number: { type: 'integer', minimum: 1 },
    time: { type: 'number', description: 'ms of the clock of the scanner, which never goes back' },
    utc: { type: 'number', description: 'ms since 1970 UTC of the same clock' },
    kind: { enum: ['read', 'write', 'call', 'unknown', 'file', 'registration', 'legacy'] },
    client: { ...text, description: 'address and port of the client' },
    name: text,
    verb: text,
    level: { ...text, description: 'proved user level; absent if the login was not accepted' },
    status: { ...count, description: 'of the response; absent if there is none' },
  },
  required: ['number', 'time', 'utc', 'kind', 'client'],
};

/** The query for what clients have done to the scanner. */
export function journalQueries(journal: ScannerJournal): Readonly<Record<string, DescribedQuery>> {
  return {
    journal: {
      text: 'What clients have done to the scanner: requests, legacy telegrams, registrations and file transfers, without secrets. The oldest entry comes first.',
      parameters: {
        since: { ...count, default: 0, description: 'number of an entry: only later ones are returned' },
        limit: { type: 'integer', minimum: 1, maximum: mostEntries, default: usualEntries },
      },
      response: {
        type: 'object',
        properties: {
          last: { ...count, description: 'number of the newest entry' },
          dropped: { ...count, description: 'number of entries that are no longer kept' },
          entries: { type: 'array', items: entry },
        },
        required: ['last', 'dropped', 'entries'],
      },
      ask: async (query) => {
        const since = numberIn(query, 'since', 0, 0, Number.MAX_SAFE_INTEGER);
        const limit = numberIn(query, 'limit', usualEntries, 1, mostEntries);
        return { last: journal.last, ...journal.since(since, limit) };
      },
    },
  };
}

/** @throws ControlRefused */
function numberIn(
  query: ReadonlyMap<string, string>,
  name: string,
  usual: number,
  least: number,
  most: number,
): number {
  const given = query.get(name);
  if (given === undefined) return usual;
  const number = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new ControlRefused(`"${name}" must be a whole number from ${least} to ${most}`);
}
