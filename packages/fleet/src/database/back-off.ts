/** ms between the first two tries to reach a database that is away. */
export const shortestPause = 25;
const longestPause = 400;

/** ms until the next try: twice the last pause, up to a limit. */
export const nextPause = (pause: number): number => Math.min(2 * pause, longestPause);
