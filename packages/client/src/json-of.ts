/** The value of a JSON text; undefined, which JSON has no word for, where it is none. */
export function jsonOf(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    return json;
  } catch {
    return undefined;
  }
}
