/** Returns ms for people: `0.4 ms`, `66.7 ms`, `1200 ms`. */
export function ms(value: number): string {
  const size = Math.abs(value);
  return `${size < 100 ? Number(value.toFixed(1)) : Math.round(value)} ms`;
}

/** Returns a duration (ms) for people, in the unit that fits. */
export function durationText(duration: number): string {
  const size = Math.abs(duration);
  if (size < 2000) return ms(size);
  const seconds = size / 1000;
  if (seconds < 120) return `${Number(seconds.toFixed(1))} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Number((seconds / 3600).toFixed(1))} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
