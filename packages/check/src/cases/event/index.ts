import type { Area } from '../case.js';
import { handshakeCases } from './handshake.js';
import { malformedCases } from './malformed.js';
import { pushCases } from './pushes.js';
import { registeringCases } from './registering.js';

/** Events over WebSockets. */
export const eventArea: Area = {
  name: 'event',
  title: 'Events',
  cases: () => [...handshakeCases, ...registeringCases, ...pushCases, ...malformedCases],
};
