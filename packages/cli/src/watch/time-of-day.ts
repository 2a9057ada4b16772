/** `12:03:04.123`, as the clocks on the wall go here. */
export function timeOfDay(date: Date): string {
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) =>
    `${part}`.padStart(2, '0'),
  );
  return `${hours}:${minutes}:${seconds}.${`${date.getMilliseconds()}`.padStart(3, '0')}`;
}
