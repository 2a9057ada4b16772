export { anybody, type Caller } from './access/access.js';
export { openFactoryPasswords } from './access/factory-passwords.js';
export { SystemClock } from './clock/system-clock.js';
export { VirtualClock } from './clock/virtual-clock.js';
export type { CertificateBundle } from './cybersecurity/certificate-bundle.js';
export type { Https } from './cybersecurity/https.js';
export { Device } from './device.js';
export type { DeviceFacts } from './device-facts.js';
export { RecentLog } from './diagnostic-file/recent-log.js';
export { type AddressSet, isOfOneDevice, type Network } from './ethernet/network.js';
export { FirmwareBusy, TransferStopped } from './firmware-update/firmware-file.js';
export { DowngradeRefused } from './firmware-update/firmware-record.js';
export {
  drawnSerialNumber,
  type Identity,
  isSerialNumber,
  keptIdentity,
  virtualIdentity,
} from './identity/identity.js';
export type { ImuReading } from './imu-data-output/imu.js';
export { Later, TooFewFiles } from './later.js';
export { GoingDown } from './lifecycle/lifecycle.js';
export { UnexpectedErrors, type Where, wordsOf } from './lifecycle/unexpected-errors.js';
export type { EncoderReading } from './measurement-data-output/encoder.js';
export { type CoreSource, isMeasuringCore } from './measuring/core-source.js';
export { atRest, type Measuring, type Viewer } from './measuring/measuring.js';
export type { OutputSegment } from './measuring/output-segment.js';
export { Rotation } from './measuring/rotation.js';
export { angleOf, EchoFlag, echoesPerBeam, Scan, weakestEcho } from './measuring/scan.js';
export { beamInterval, geometryOf, type ScanGeometry } from './measuring/scan-geometry.js';
export type { MeasuringState } from './measuring/state.js';
export type { Answer } from './method-call.js';
export type { Clock, MovableClock } from './ports/clock.js';
export {
  type ControlCommand,
  type ControlCommands,
  ControlRefused,
  type Controls,
  type ControlView,
  type Given,
} from './ports/control.js';
export type { Host, Log, LogFacts } from './ports/host.js';
export { LogWith } from './ports/log-with.js';
export type { MeasuringCore, MeasuringOrder, Motion } from './ports/measuring-core.js';
export type { Random } from './ports/random.js';
export type { Storage } from './ports/storage.js';
export type { TimeAnswer, TimeServers } from './ports/time-server.js';
export { SystemRandom } from './random/system-random.js';
export type { LostDocument } from './storage/documents.js';
export { FolderInUse } from './storage/folder-lock.js';
export { FolderStorage } from './storage/folder-storage.js';
export { MemoryStorage } from './storage/memory-storage.js';
export { Tally } from './tally.js';
