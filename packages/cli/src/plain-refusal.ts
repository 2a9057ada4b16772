/** Characters of a reason that is shown. */
const longestReason = 200;

/** Why a fleet refuses, from its answer as text for people: its first line, cut to a sensible length. */
export function plainReason(text: string): string {
  const [line = ''] = text.trim().split(/[\r\n]/, 1);
  return line.length <= longestReason ? line : `${line.slice(0, longestReason)}…`;
}

/** Is an answer a refusal as text for people, as a fleet gives for a scanner that is off? */
export function isPlainRefusal(status: number, type: string | null | undefined): boolean {
  return status >= 400 && /^text\/plain\b/i.test(type ?? '');
}
