/**
 * Why the scanner restarts: the methods RebootDevice and SoftReset, firmware that was installed (`update`), or
 * `Lifecycle.powerCycle` (`powerCycle`).
 */
export type RebootKind = 'RebootDevice' | 'SoftReset' | 'update' | 'powerCycle';
