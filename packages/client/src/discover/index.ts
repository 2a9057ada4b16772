/** @packageDocumentation @internal */

export type { SearchForm } from '@azimuth/telegrams/device-search';
export { type DiscoverOptions, discover, type SetAddressOptions, setAddress } from './discover.js';
export { type FoundScanner, macAddressIn, type NetworkConfiguration } from './found-scanner.js';
export type { SearchOptions } from './search-request.js';
export { broadcastAddress, DiscoverError } from './search-request.js';
