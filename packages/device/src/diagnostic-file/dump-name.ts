/** The name that every archive can be fetched under. */
export const dumpName = 'diagnosisDump.zip';

/** A letter or digit first; then blanks and what usual file names have. No separator, no percent sign, no colon. */
const plain = /^[\p{L}\p{N}_][\p{L}\p{N} ._()+-]*$/u;

/** May an archive be fetched under this name as well: is it a plain file name? Its length is checked by its type. */
export function isPlainFileName(name: string): boolean {
  return plain.test(name);
}
