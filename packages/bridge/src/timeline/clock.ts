/** ms between the clock of the computer and the monotonic clock. */
let offset = Date.now() - performance.now();

/** Difference in ms from which on the clock of the computer counts as set. */
const step = 5;

/** Time of an entry that is seen now: µs since 1970, by the clock of this computer. It has the resolution of µs. */
export function timeNow(): number {
  const monotonic = performance.now();
  const wall = Date.now();
  if (Math.abs(wall - monotonic - offset) > step) offset = wall - monotonic;
  return Math.round((offset + monotonic) * 1000);
}
