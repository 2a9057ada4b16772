const two32 = 2 ** 32;

/** Writes a whole number of 64 bits, little-endian; a fraction is left out. */
export function setU64(view: DataView, offset: number, value: number): void {
  // setUint32 takes the lower 32 bits of whatever number it gets.
  view.setUint32(offset, value, true);
  view.setUint32(offset + 4, value / two32, true);
}

/** Reads a whole number of 64 bits, little-endian; above 2^53 the nearest number there is. */
export function getU64(view: DataView, offset: number): number {
  return view.getUint32(offset + 4, true) * two32 + view.getUint32(offset, true);
}
