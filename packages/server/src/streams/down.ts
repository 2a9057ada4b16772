import type { Loss } from './loss.js';

/** Why nothing of a stream can leave although it is on, in a word for metrics. */
export type Down = Loss | 'format' | 'no_address' | 'port_closed';
