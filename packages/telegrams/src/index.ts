export { decodeTelegram, type Telegram } from './decode-telegram.js';
export * from './encode.js';
export { type RecordingFacts, recordingHeader, recordOf } from './recording/own-format.js';
export { pcapHeader, pcapPacketOf, type UdpPath } from './recording/pcap.js';
export { readRecording, recordingFacts } from './recording/read-recording.js';
export type { Recorded } from './recording/recorded.js';
export { RecordingError } from './recording/recording-error.js';
export { TelegramError } from './telegram-error.js';
export { TelegramSplitter } from './telegram-splitter.js';
