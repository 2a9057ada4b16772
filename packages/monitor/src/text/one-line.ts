/** Most characters of a text from a scanner in a line. */
const mostCharacters = 300;

/**
 * Returns a text from a scanner as one line that is safe to print: without line breaks, escapes, and characters that
 * nobody sees or that turn the direction of writing. A long text is cut.
 */
export function oneLine(text: string): string {
  const characters = [...text.slice(0, 4 * mostCharacters).replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')];
  if (characters.length <= mostCharacters && text.length <= 4 * mostCharacters) return characters.join('');
  return `${characters.slice(0, mostCharacters).join('')}…`;
}
