/** @packageDocumentation @internal */

export { TelegramError } from '../telegram-error.js';
export { ByteCursor } from './byte-cursor.js';
export {
  decodeMessage,
  keyHashOf,
  type RtpsMessage,
  statusInfoOf,
} from './decode-message.js';
export { MessageWriter, vendorId } from './encode-message.js';
export {
  dataRepresentation,
  decodeEndpointData,
  defaultQos,
  durability,
  type EndpointData,
  type EndpointQos,
  encodeEndpointData,
  reliability,
} from './endpoint-data.js';
export {
  bytesOfGuid,
  type EntityId,
  entityId,
  type Guid,
  type GuidPrefix,
  guidOf,
  guidText,
  prefixOf,
  writerId,
} from './guid.js';
export { parameterId } from './parameter-list.js';
export {
  builtinEndpoint,
  bytesOfLocator,
  decodeParticipantData,
  encodeKey,
  encodeParticipantData,
  type Locator,
  type ParticipantData,
} from './participant-data.js';
export type { AckNack, Data, Heartbeat, NackFragment, Submessage } from './submessages.js';
export { mostInSet, type NumberSet, numberSet } from './submessages.js';
