/** @packageDocumentation @internal */

export { decodeChange, encodeChange, type NetworkChange, type SearchForm } from './change.js';
export {
  decodeSearchRequest,
  decodeSearchResponse,
  encodeSearchRequest,
  encodeSearchResponse,
  everyScanner,
  httpService,
  multicastDnsPort,
  type SearchDatagram,
  type SearchRequest,
  SearchTelegram,
  searchPort,
} from './datagram.js';
export {
  broadcastOf,
  type DecodedDescription,
  type DeviceDescription,
  ipv4Bytes,
  macBytes,
  macText,
} from './description.js';
export { decodeTaggedResponse, encodeTaggedResponse } from './tagged.js';
export { decodeXmlResponse, encodeXmlConfirmation, encodeXmlResponse } from './xml.js';
