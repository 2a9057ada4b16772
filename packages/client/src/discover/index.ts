export type { SearchForm } from '@azimuth/telegrams/device-search';
export type { AskingOptions } from './asking.js';
export { broadcastOf } from './destinations.js';
export { type DiscoverOptions, discover } from './discover.js';
export { DiscoverError } from './discover-error.js';
export { type FoundScanner, macOf, type NetworkConfiguration } from './found-scanner.js';
export { type SetAddressOptions, setAddress } from './set-address.js';
