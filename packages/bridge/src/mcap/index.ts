/** @packageDocumentation @internal */

export { decodedOrNothing } from './decoded-telegram.js';
export { FileSource } from './file-source.js';
export {
  type ChannelFacts,
  type ChannelId,
  McapRecording,
  type MessageFacts,
  type SchemaFacts,
} from './mcap-recording.js';
export {
  isMcap,
  type McapEnd,
  McapError,
  type McapMessage,
  type McapMetadata,
  readMcap,
} from './read-mcap.js';
export {
  eventTopic,
  factoryNames,
  metadataNames,
  type RecordedNames,
  type RecordedTelegram,
  ScannerRecording,
  type ScannerRecordingOptions,
  telegramChannel,
} from './scanner-recording.js';
