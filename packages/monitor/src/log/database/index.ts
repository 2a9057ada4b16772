/** @packageDocumentation @internal */

export { DatabaseLog, type DatabaseLogOptions } from './database-log.js';
export { DatabaseReader } from './database-reader.js';
export { insertEntries } from './entry-rows.js';
export { checkLogTables, prepareLogTables } from './log-schema.js';
