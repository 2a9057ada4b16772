const tails = new Map<string, Promise<void>>();

/**
 * Runs an act when all acts that came before it for the same scanner have ended, well or badly. A scanner knows one
 * pending challenge: challenge and POST have to stay together (specification, Authentication, rule 4). Whoever talks
 * to the same origin takes turns, through whichever object.
 */
export async function inTurn<T>(origin: string, act: () => Promise<T>): Promise<T> {
  const before = tails.get(origin) ?? Promise.resolve();
  const turn = before.then(act);
  const ended = turn.then(
    () => undefined,
    () => undefined,
  );
  tails.set(origin, ended);
  try {
    return await turn;
  } finally {
    if (tails.get(origin) === ended) tails.delete(origin);
  }
}
