/** @packageDocumentation @internal */

export { textOfEntry } from './entry-text.js';
export { type JournalEntry, type JournalPart, mostEntries, ScannerJournal } from './scanner-journal.js';
