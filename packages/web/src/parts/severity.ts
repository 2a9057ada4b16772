/** How good a state is: each kind has a colour and a shape of its own. */
export type Severity = 'good' | 'warn' | 'bad' | 'idle';

/** For sorting: the worst first. */
export const severityRanks: Readonly<Record<Severity, number>> = { bad: 0, warn: 1, idle: 2, good: 3 };
