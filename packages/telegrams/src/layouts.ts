/** @packageDocumentation @internal */

export { encoderLayout, encoderPayloadBytes, encoderVersion } from './compact/encoder.js';
export { imuLayout, imuVersion } from './compact/imu.js';
export {
  azimuthCode,
  beamContent,
  beamLayout,
  echoContent,
  echoLayout,
  moduleEndLayout,
  moduleLayout,
  rowLayout,
  scaleLayout,
  scanVersions,
} from './compact/scan-layout.js';
export { SearchTelegram, searchHeaderLayout, searchPort } from './device-search/datagram.js';
export { type TaggedPart, taggedParts, tagNames } from './device-search/tagged.js';
export { type Field, fieldBytes, type Layout, type NumberField, numberBytes, offsetsOf } from './layout.js';
export { commandWords, legacyErrors } from './legacy/command.js';
export { binaryFrame, textEnd, textStart } from './legacy/framing.js';
export { type LmdPart, lmdHeadLayout, lmdName, lmdParts } from './legacy/lmdscandata/scan.js';
export {
  elementBytes,
  elementType,
  envelopeLayout,
  type KeyedMember,
  keyedMembers,
  littleEndian,
  objectClass,
} from './msgpack/layout.js';
export { beamProperty, echoProperty } from './scan-telegram.js';
export { crcLayout, headerLayout, startMarker, telegramType } from './telegram-header.js';
export { mostTelegramBytes } from './telegram-splitter.js';
