/** The user levels in ascending order, with their numbers (specification, Envelope objects; numbers as devices use them). */
export const levels = {
  Run: 0,
  Operator: 1,
  Maintenance: 2,
  AuthorizedClient: 3,
  Service: 4,
} as const;

export type Level = keyof typeof levels;

export const levelNames: readonly Level[] = ['Run', 'Operator', 'Maintenance', 'AuthorizedClient', 'Service'];

/** The levels that have a password, over REST as over the legacy protocol. */
export const loginLevels = ['Maintenance', 'AuthorizedClient', 'Service'] as const;
export type LoginLevel = (typeof loginLevels)[number];

export function isLevel(name: string): name is Level {
  return Object.hasOwn(levels, name);
}

export function isLoginLevel(name: string): name is LoginLevel {
  return loginLevels.some((level) => level === name);
}

/** The level of a number; undefined for a number that no level has. */
export function levelOfNumber(number: number): Level | undefined {
  return levelNames[number];
}

/** Does somebody at `held` have the rights of `needed`? Levels are ordered. */
export function reaches(held: Level, needed: Level): boolean {
  return levels[held] >= levels[needed];
}

/**
 * The level that a name means but for its blanks (`Authorized Client`); undefined for a proper name and for a
 * name that means none. The specification answers this slip with a status of its own (7).
 */
export function levelWithBlanks(name: string): Level | undefined {
  if (isLevel(name)) return undefined;
  const joined = name.replaceAll(/\s/g, '');
  return isLevel(joined) ? joined : undefined;
}
