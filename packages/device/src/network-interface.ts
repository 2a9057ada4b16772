/** @packageDocumentation @internal */

export { anybody, type Caller } from './access/access.js';
export { IssuedChallenge } from './access/challenges.js';
export type { CallResult } from './behaviour.js';
export type { CertificateBundle } from './cybersecurity/certificate-bundle.js';
export type { OutputSegment } from './data-reduction/output-segments.js';
export type { Network } from './ethernet/network.js';
export { FirmwareBusy, TransferStopped } from './firmware-update/firmware-file.js';
export { isOfOneDevice } from './hardware/address-set.js';
export type { ImuReading } from './imu-data-output/imu.js';
export type { TimeResponse, TimeServers } from './interfaces/time-sources.js';
export { GoingDown } from './lifecycle/lifecycle.js';
export type { EncoderReading } from './measurement-data-output/encoder.js';
export { streamSwitches } from './measurement-data-output/stream-settings.js';
