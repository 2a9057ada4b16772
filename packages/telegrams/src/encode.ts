export { encodeEncoder } from './compact/encode-encoder.js';
export { encodeImu } from './compact/encode-imu.js';
export { encodeCompactScan } from './compact/encode-scan.js';
export { crc32 } from './crc32.js';
export type { EncoderTelegram } from './encoder-telegram.js';
export type { ImuTelegram } from './imu-telegram.js';
export { encodeMsgpackScan } from './msgpack/encode-scan.js';
export type { ScanModule, ScanTelegram } from './scan-telegram.js';
