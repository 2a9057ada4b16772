/** The strongest signal that can be told. */
export const fullStrength = 65_535;
/** m: here light has lost half of what it had near by. */
const halfDistance = 10;
/** Times the strongest signal, from which on the receiver blooms. */
const bloomingFrom = 2;

/**
 * Signal strength (RSSI) of what a surface sends back, before it is cut off at the strongest that can be told:
 * 65535 * remission * cos(angle of incidence) / (1 + (distance / 10 m)²). A retro-reflector sends light back where
 * it came from, so that its angle does not count.
 * @param cosine of the angle of incidence
 * @param distance m
 */
export function signalStrength(
  remission: number,
  reflector: boolean,
  cosine: number,
  distance: number,
): number {
  const part = distance / halfDistance;
  return (fullStrength * remission * (reflector ? 1 : cosine)) / (1 + part * part);
}

/** Whether a signal is so strong that the receiver blooms: more than twice what can be told. */
export function blooms(strength: number): boolean {
  return strength > bloomingFrom * fullStrength;
}
