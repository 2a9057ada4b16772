/** @packageDocumentation @experimental */

export { DeviceSearch, type ListeningPorts } from './device-search.js';
