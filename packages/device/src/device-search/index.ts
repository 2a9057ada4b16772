export type { ListeningPorts } from './description.js';
export { DeviceSearch, type SearchAnswer } from './device-search.js';
