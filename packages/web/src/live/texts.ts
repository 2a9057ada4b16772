/** An angle as people read it, with a true minus sign. @param azimuth rad */
export function angleText(azimuth: number): string {
  return degrees(azimuth).replace('-', '−');
}

/** Degrees with two digits, for programs: the finest resolution is 0.05°. */
export function degrees(azimuth: number): string {
  const text = ((azimuth * 180) / Math.PI).toFixed(2);
  return Number(text) === 0 ? '0.00' : text;
}

/** A distance in m, to the millimetre. */
export function distanceText(metres: number): string {
  return `${metres.toFixed(3)} m`;
}

/** Metres that may be negative, without their unit, with a true minus sign. @param digits behind the point */
export function signedMetres(metres: number, digits = 3): string {
  const text = metres.toFixed(digits);
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−');
}
