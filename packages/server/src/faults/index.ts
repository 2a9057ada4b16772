/** @packageDocumentation @internal */

export { eventPathOf, FaultyMessages } from '../events/faulty-messages.js';
export { FaultyRequests, type UnservedRequest } from './faulty-requests.js';
