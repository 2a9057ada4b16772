/** A time for a person: `12 min`, `5.3 h`, `41 days 7 h`. @param hours */
export function dayAndHours(hours: number): string {
  if (hours < 1) return `${Math.floor(hours * 60)} min`;
  if (hours < 48) return `${hours.toFixed(1)} h`;
  const whole = Math.floor(hours);
  const days = Math.floor(whole / 24);
  return `${days} days ${whole - 24 * days} h`;
}
