/** @packageDocumentation @internal */

export { azimuthCodesOf, encodeCompactScan } from './compact/encode-scan.js';
export { type EncoderTelegram, encodeEncoder } from './compact/encoder.js';
export { encodeImu, type ImuTelegram } from './compact/imu.js';
export { crc32 } from './crc32.js';
export { encodeMsgpackScan } from './msgpack/encode-scan.js';
export { beamProperty, echoProperty, type ScanModule, type ScanTelegram } from './scan-telegram.js';
