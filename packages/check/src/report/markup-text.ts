const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Characters that XML 1.0 does not allow, also not as entities, that disguise a line, or that control a terminal. Tabs and line
 * feeds stay.
 */
const unprintable = /[\p{Cs}\p{Cf}\p{Zl}\p{Zp}\ufffe\uffff]|(?![\t\n])\p{Cc}/gu;

/**
 * Returns a text of unknown origin for HTML and XML, as content and in quoted attributes. What must not be in XML is written
 * visibly: `\\u0002` for the STX of a legacy telegram.
 */
export function markupText(text: string): string {
  return text
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
    .replaceAll(unprintable, visible);
}

function visible(character: string): string {
  let text = '';
  for (let at = 0; at < character.length; at++)
    text += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return text;
}
