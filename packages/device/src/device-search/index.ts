export { DeviceSearch, type SearchAnswer } from './device-search.js';
export type { ListeningPorts } from './presence.js';
export { broadcastOf } from './subnet.js';
