/** Least number of characters of a key. A key that can be guessed protects nothing. */
export const shortestKey = 16;

/** The keys of a deployment. The first one is used. The others are accepted beside it, while the key is changed. */
export type DeploymentKeys = readonly [string, ...string[]];

/** @throws RangeError if one of them is too short */
export function assertLong(keys: DeploymentKeys): void {
  for (const { length } of keys) {
    if (length < shortestKey)
      throw new RangeError(
        `the key of a deployment needs at least ${shortestKey} characters; this one has ${length}`,
      );
  }
}
