/** Milliseconds of a clock that runs alike in every process of this machine. */
export function sharedClock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
