/** @packageDocumentation @experimental */

export { decodeTelegram, streamOf, type Telegram } from './decode-telegram.js';
export * as deviceSearch from './device-search/index.js';
export * from './encode.js';
export * as legacy from './legacy/index.js';
export { type RecordingFacts, recordingHeader, recordOf } from './recording/azrec.js';
export type { ByteSource } from './recording/byte-source.js';
export { pcapHeader, pcapPacketOf, type UdpPath } from './recording/pcap.js';
export { pcapngHeader, pcapngPacketOf } from './recording/pcapng-writer.js';
export { packetsLeftOut, readRecording, recordingFacts } from './recording/read-recording.js';
export { type Recorded, RecordingError } from './recording/recorded.js';
export { reflectorEchoes, senderIdOf } from './scan-telegram.js';
export { TelegramError } from './telegram-error.js';
export { TelegramSplitter } from './telegram-splitter.js';
