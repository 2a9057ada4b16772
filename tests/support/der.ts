/** Writes the part of DER (ITU-T X.690) that certificates need. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = bytesOfHex(content.length.toString(16));
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content]);
}

export const sequence = (...contents: readonly Uint8Array[]): Buffer => der(0x30, ...contents);
export const setOf = (...contents: readonly Uint8Array[]): Buffer => der(0x31, ...contents);
export const explicit = (number: number, content: Uint8Array): Buffer => der(0xa0 | number, content);
export const bool = (value: boolean): Buffer => der(0x01, Buffer.from([value ? 0xff : 0]));
export const octets = (content: Uint8Array): Buffer => der(0x04, content);
export const bits = (content: Uint8Array): Buffer => der(0x03, Buffer.from([0]), content);
export const none = der(0x05);
export const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text));

/** A whole number from its digits in hex. */
export function integer(hex: string): Buffer {
  const bytes = bytesOfHex(hex);
  return der(0x02, (bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Buffer.from([0]), bytes]));
}

export function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...others.flatMap(base128)]));
}

/** Until 2049 with two digits for the year, later with four (RFC 5280 §4.1.2.5). */
export function time(date: Date): Buffer {
  const text = `${date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')}`;
  return date.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text));
}

function base128(number: number): number[] {
  const groups = [number % 128];
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) {
    groups.unshift((rest % 128) + 128);
  }
  return groups;
}

function bytesOfHex(hex: string): Buffer {
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}
