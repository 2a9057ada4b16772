/** @packageDocumentation @internal */

export { DeviceSearch, type ListeningPorts } from './device-search.js';
