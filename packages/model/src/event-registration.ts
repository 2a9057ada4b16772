// What a client may ask for with a registration for an event (specification, Events).

/** Order in which waiting values are sent, the first before all others. */
export const priorities = ['HIGH', 'MID', 'LOW'] as const;

/** Value that is dropped when a value arrives at a full queue: the oldest one or the new one. */
export const discardRules = ['OLDEST', 'NEWEST'] as const;

/** Upper bound of `maxSize` of a registration: the values that may wait for it. */
export const mostInQueue = 1000;

/** Upper bound of `minOutputIntervalMs` of a registration, in ms: a day. */
export const longestOutputInterval = 86_400_000;

/** Options of a registration that names none. The interval is in ms. */
export const usualRegistration = {
  minOutputIntervalMs: 0,
  priority: 'MID',
  maxSize: 1,
  discardIfFull: 'OLDEST',
} as const;
