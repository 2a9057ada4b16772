/**
 * Beams without echoes and properties, as bytes: only their azimuths are there. By the codes of the azimuths, and then by
 * the form of a beam, of which there are few: the square of its size, and the offset of the azimuth, which is less than the
 * size.
 */
const known = new WeakMap<Uint16Array, Map<number, Uint8Array>>();

/**
 * Returns beams without echoes and properties. Copying them takes less time than writing each azimuth.
 * @param codes of the azimuths, by beam; they stay the same as long as the array is used
 * @param beamSize bytes of a beam
 * @param azimuthAt offset of the azimuth in a beam
 */
export function blankBeams(codes: Uint16Array, beamSize: number, azimuthAt: number): Uint8Array {
  const form = beamSize * beamSize + azimuthAt;
  const forms = known.get(codes) ?? new Map<number, Uint8Array>();
  const before = forms.get(form);
  if (before !== undefined) return before;
  const bytes = new Uint8Array(codes.length * beamSize);
  const view = new DataView(bytes.buffer);
  for (const [beam, code] of codes.entries()) view.setUint16(beam * beamSize + azimuthAt, code, true);
  known.set(codes, forms.set(form, bytes));
  return bytes;
}
