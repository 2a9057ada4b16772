/**
 * Characters that control a terminal, or disguise a line: control characters (C0 and C1), directions of writing and
 * others without a form (Cf), separators of lines, unpaired surrogates.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Makes a text of unknown origin safe for a terminal: control characters become escapes. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, escaped);
}

/**
 * Returns JSON in one line that is safe for a terminal: JSON.stringify leaves C1 and directions of writing unchanged.
 */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent) ?? 'null';
  // Indented JSON has line feeds of its own; those of its texts are escaped already.
  return text.replaceAll(unprintable, (character) => (character === '\n' ? character : escaped(character)));
}

/** Escapes as in JSON: in units of UTF-16. */
function escaped(character: string): string {
  let escapes = '';
  for (let at = 0; at < character.length; at++)
    escapes += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return escapes;
}
