/**
 * `off`: its power is off. `idle`: it is on, and nobody has needed it yet: it takes no memory to speak of, and no time.
 * `running`: it was needed. `failed`: it could not start.
 */
export const scannerStates = ['off', 'idle', 'running', 'failed'] as const;

export type ScannerState = (typeof scannerStates)[number];
