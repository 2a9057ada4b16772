/** Parses lines of hex digits. The rest of a line after `#` is a comment. */
export function bytesOf(lines: string): Uint8Array {
  const digits = lines.replace(/#.*$/gm, '').replace(/\s/g, '');
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Computes the CRC-32 of bytes, bit by bit as in the standard, four bytes little-endian. */
export function crcOf(bytes: Uint8Array): Uint8Array {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  const end = new Uint8Array(4);
  new DataView(end.buffer).setUint32(0, ~crc >>> 0, true);
  return end;
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** Bytes with their CRC behind them. */
export function withCrc(bytes: Uint8Array): Uint8Array {
  return joined(bytes, crcOf(bytes));
}
