/**
 * A number of things in words: `1 scanner`, `3 scanners`, `0 scanners`.
 * @param one the word for one of them
 * @param many the word for any other number; by default with an `s` at the end
 */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
