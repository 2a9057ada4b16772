import { candidates } from './completion/candidates.js';
import { madeTable } from './completion/completion-table.js';
import { describedNames } from './scanners/described-names.js';
import { deviceNames } from './scanners/device-names.js';

/**
 * `azimuth complete WORD...`: the completion of shells runs it at each press of the key. It prints the candidates for
 * the next word, a line for each, with a tab and a text after it. `:file` and `:folder` stand for names of files and
 * folders. It prints no errors: a shell would show them in the command line.
 */
export function main(argv: readonly string[]): void {
  const made = madeTable();
  if (made === undefined) return;
  const described = describedNames();
  const table = {
    ...made,
    variables: { ...described.variables, ...made.variables },
    methods: { ...described.methods, ...made.methods },
  };
  const { words, paths } = candidates(table, argv.slice(1), deviceNames);
  const lines = words.map(({ word, text }) => `${word}\t${text}`);
  if (paths !== undefined) lines.push(`:${paths}`);
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
}
