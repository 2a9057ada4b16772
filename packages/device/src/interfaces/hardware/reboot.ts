/**
 * Why the scanner restarts: the methods RebootDevice and SoftReset, installed firmware (`update`), parameters from the
 * system plug (`plug`), or power that was switched off and on (`powerCycle`).
 */
export type RebootKind = 'RebootDevice' | 'SoftReset' | 'update' | 'plug' | 'powerCycle';
