/**
 * Hours in operation over the life of a scanner. OpHours counts whole tenths of an hour and leaves the rest out, DailyOpHours
 * does not: the time since power was switched on may seem longer, and the life is at least as long.
 * @param opHours in 1/10 h
 * @param dailyOpHours in h; undefined if it is not known
 */
export function lifeHours(opHours: number, dailyOpHours: number | undefined): number {
  return Math.max(opHours / 10, dailyOpHours ?? 0);
}
