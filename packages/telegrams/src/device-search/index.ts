/** @packageDocumentation @experimental */

export { decodeChange, encodeChange, type NetworkChange, type SearchForm } from './change.js';
export {
  decodeSearchAnswer,
  decodeSearchRequest,
  encodeSearchAnswer,
  encodeSearchRequest,
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
  macBytes,
  macText,
  quadBytes,
} from './description.js';
export { decodeTaggedAnswer, encodeTaggedAnswer } from './tagged.js';
export { decodeXmlAnswer, encodeXmlAnswer, encodeXmlConfirmation } from './xml.js';
