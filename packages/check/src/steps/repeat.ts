/** Does steps several times. */
export interface RepeatStep<Step> {
  readonly kind: 'repeat';
  readonly times: number;
  /** Longest time of all rounds in s. If this computer or the way to the scanner is slower, the case is not tested. */
  readonly within?: number;
  readonly steps: readonly Step[];
}

export function repeat<Steps extends readonly unknown[]>(
  times: number,
  ...steps: Steps
): RepeatStep<Steps[number]> {
  return { kind: 'repeat', times, steps };
}
