/** Most characters of a line, and most lines, of a message. */
const longestLine = 200;
const mostLines = 200;

/** Most characters of the first line: longer ones are cut in lists of commits. */
const longestSubject = 72;

/**
 * Returns the message of a commit: `hall/gate3: ScanDataEthSettings.Port = 2115 → 2116`, with a line for each change
 * below if there are several.
 * @param changes a line for each value; they may be of unknown origin
 */
export function commitMessage(
  name: string,
  { isFirst, changes }: { readonly isFirst: boolean; readonly changes: readonly string[] },
): string {
  const lines = changes.map((line) => cut(line, longestLine));
  if (isFirst) return `${oneLine(name)}: first entry\n`;
  const [only = ''] = lines;
  if (lines.length === 0) return `${oneLine(name)}: another backup, the same values\n`;
  const subject = `${oneLine(name)}: ${only}`;
  if (lines.length === 1 && subject.length <= longestSubject) return `${subject}\n`;
  const count = lines.length === 1 ? '1 value has' : `${lines.length} values have`;
  const hidden = lines.length - mostLines;
  const listed = lines.slice(0, mostLines).join('\n');
  return `${oneLine(name)}: ${count} changed\n\n${listed}\n${hidden > 0 ? `and ${hidden} more\n` : ''}`;
}

function cut(text: string, longest: number): string {
  const characters = [...oneLine(text)];
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`;
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ');
}
