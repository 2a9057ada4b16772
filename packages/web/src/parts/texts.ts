/** A text with its first letter large. */
export function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** A text of a scanner or of the model as a sentence. */
export function sentence(text: string): string {
  const capital = capitalised(text);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

/** Does a text contain all words that were typed? */
export function hasWords(text: string, typed: string): boolean {
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));
}

/** A number of bytes for a person: `812 B`, `4.1 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
