export type { EncoderTelegram } from './encoder-telegram.js';
export type { ImuTelegram } from './imu-telegram.js';
export type { ScanModule, ScanTelegram } from './scan-telegram.js';
