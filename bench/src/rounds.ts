/**
 * Lets subjects take turns, round by round; who comes first changes with each round, so that nobody always meets the
 * machine as another has left it.
 */
export async function inRounds<Subject>(
  subjects: readonly Subject[],
  rounds: number,
  measure: (subject: Subject, round: number) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const first = round % subjects.length;
    for (const subject of [...subjects.slice(first), ...subjects.slice(0, first)])
      await measure(subject, round);
  }
}
