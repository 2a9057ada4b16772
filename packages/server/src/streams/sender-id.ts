/** As a telegram has 32 bits for it: a serial number that is no such number is told by its FNV-1a hash. */
export function senderIdOf(serialNumber: string): number {
  const number = Number(serialNumber);
  if (/^\d+$/.test(serialNumber) && number < 2 ** 32) return number;
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(serialNumber)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
