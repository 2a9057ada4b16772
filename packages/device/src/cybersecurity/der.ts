/** One value in DER: its tag, and the bytes in it. */
export interface Der {
  readonly tag: number;
  readonly content: Buffer;
}

export const sequence = 0x30;
export const objectIdentifier = 0x06;

/** The values that stand one after the other; undefined where the bytes end within one. */
export function derValues(bytes: Buffer): readonly Der[] | undefined {
  const values: Der[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1] ?? 0;
    const more = first < 0x80 ? 0 : first & 0x7f;
    if (more > 4) return undefined;
    const start = at + 2 + more;
    if (start > bytes.length) return undefined;
    const length = more === 0 ? first : bytes.readUIntBE(at + 2, more);
    if (start + length > bytes.length) return undefined;
    values.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return values;
}

/** An object identifier in figures and dots. */
export function dotted(content: Buffer): string {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of content) {
    number = number * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(number);
    number = 0;
  }
  const [joint = 0, ...others] = numbers;
  const first = Math.min(2, Math.floor(joint / 40));
  return [first, joint - 40 * first, ...others].join('.');
}
