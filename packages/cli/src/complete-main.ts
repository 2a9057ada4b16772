import { readFileSync } from 'node:fs';
import { candidates } from './completion/candidates.js';
import type { CompletionTable } from './completion/completion-table.js';
import { deviceNames } from './completion/device-names.js';

/** The table that is made when the program is bundled. */
const tableFile = new URL('../bundle/completion.json', import.meta.url);

/**
 * `azimuth complete WORD...`, which the completion of shells runs at each press of the key: prints what can come next in a
 * command line, a line for each, with a tab and a text behind it. `:file` and `:folder` stand for names of files and folders.
 * It prints no errors: a shell would show them in the line that is typed.
 */
export function main(argv: readonly string[]): void {
  const table = readTable();
  if (table === undefined) return;
  const { words, paths } = candidates(table, argv.slice(1), deviceNames);
  const lines = words.map(({ word, text }) => `${word}\t${text}`);
  if (paths !== undefined) lines.push(`:${paths}`);
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
}

function readTable(): CompletionTable | undefined {
  try {
    return JSON.parse(readFileSync(tableFile, 'utf8'));
  } catch {
    return undefined;
  }
}
