const utf8 = new TextEncoder();

/**
 * The serial number of a scanner as its telegrams of scan and encoder data have it: 32 bits. A serial number that is no such
 * number is hashed (FNV-1a).
 */
export function senderIdOf(serialNumber: string): number {
  const number = Number(serialNumber);
  if (/^\d+$/.test(serialNumber) && number < 2 ** 32) return number;
  let hash = 0x811c9dc5;
  for (const byte of utf8.encode(serialNumber)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
