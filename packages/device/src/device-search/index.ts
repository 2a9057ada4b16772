export type { ListeningPorts } from './device-search.js';
export { DeviceSearch, type SearchAnswer } from './device-search.js';
