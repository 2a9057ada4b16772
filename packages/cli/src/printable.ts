/** A text that may come from anywhere, made harmless for a terminal: control characters are spelled out. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
