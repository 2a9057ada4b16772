/** @packageDocumentation @experimental */

export { anybody, type Caller } from './access/access.js';
export { firstCredentials, type Passwords } from './access/credentials.js';
export type { CallResult } from './behaviour.js';
export { PacedClock } from './clock/paced-clock.js';
/** @stable */
export { SystemClock } from './clock/system-clock.js';
/** @stable */
export { VirtualClock } from './clock/virtual-clock.js';
export { firstBeamOfSector } from './contamination-indication/sectors.js';
export type { CertificateBundle } from './cybersecurity/certificate-bundle.js';
export type { OutputSegment } from './data-reduction/output-segments.js';
/** @stable */
export { Device, type DeviceOptions } from './device.js';
export { isOfOneDevice, type Network } from './ethernet/network.js';
export { removeEchoes } from './filter/scan-filter.js';
export { DowngradeRefused, releaseIn } from './firmware-record.js';
export { FirmwareBusy, TransferStopped } from './firmware-update/firmware-file.js';
/** @stable */
export {
  type Identity,
  isSerialNumber,
  randomSerialNumber,
  storedIdentity,
  virtualIdentity,
} from './identity/identity.js';
export type { ImuReading } from './imu-data-output/imu.js';
export {
  type ControlCommand,
  type ControlCommands,
  type ControlQuery,
  ControlRefused,
  type Controls,
  type Given,
} from './interfaces/control.js';
/** @stable */
export type { Clock, Log, LogFields, MovableClock, Random, Storage } from './interfaces/environment.js';
/** @stable */
export { LogWith, SystemRandom } from './interfaces/environment.js';
export type {
  EventFaults,
  EventPath,
  Faults,
  FaultyStream,
  HttpFaults,
  LegacyFaults,
  LinkFaults,
  MessageFault,
  RequestFault,
  ResponseFault,
  StreamFaults,
  TelegramFault,
} from './interfaces/faults.js';
/** @stable */
export type {
  AddressSet,
  ClockHardware,
  EncoderByCount,
  EncoderBySpeed,
  EncoderHardware,
  FirmwareInstaller,
  Hardware,
  Lamp,
  NetworkHardware,
  NetworkSettings,
  PinLevel,
  RebootKind,
  Sensor,
} from './interfaces/hardware/index.js';
/** @stable */
export { PlugFailure, type SystemPlug } from './interfaces/hardware/index.js';
/** @stable */
export type { MeasuringCore, MeasuringOrder, Motion } from './interfaces/measuring-core.js';
export type {
  PtpConnection,
  PtpDatagram,
  PtpListener,
  PtpNetwork,
  TimeResponse,
  TimeServers,
} from './interfaces/time-sources.js';
export type { Condition } from './lifecycle/conditions.js';
export { type BootFault, GoingDown } from './lifecycle/lifecycle.js';
export { errorMessage, UnexpectedErrors, type Where } from './lifecycle/unexpected-errors.js';
export type { EncoderReading } from './measurement-data-output/encoder.js';
export { sendsFromPowerOn, streamSwitches } from './measurement-data-output/stream-settings.js';
export { atRest, type CoreSource, isMeasuringCore } from './measuring/core-source.js';
export type { Measuring } from './measuring/measuring.js';
export type { MeasuringState } from './measuring/measuring-state.js';
/** @stable */
export { RevolutionTimer } from './measuring/revolutions.js';
export { furthestDistance } from './measuring/scan-check.js';
export { parametersIn } from './parameters/stored-state.js';
export { RecentLog } from './recent-log.js';
/** @stable */
export {
  angleOf,
  beamFan,
  beamInterval,
  EchoFlag,
  echoesPerBeam,
  geometryOf,
  radPerDegree,
  Scan,
  type ScanGeometry,
  sameGeometry,
  weakestEcho,
} from './scan/scan.js';
export {
  asideName,
  countersDocument,
  decodeDocument,
  encodeDocument,
  firmwareDocument,
  parametersDocument,
  secretDocuments,
  storedNames,
} from './storage/document.js';
export type { LostDocument } from './storage/documents.js';
export { FolderInUse } from './storage/folder-lock.js';
/** @stable */
export { FolderStorage } from './storage/folder-storage.js';
export { makeFolder } from './storage/make-folder.js';
/** @stable */
export { inPieces, MemoryStorage } from './storage/memory-storage.js';
export { codeOf, DamagedDocument, exists, isMissing, StorageUnavailable } from './storage/storage-failure.js';
export { FolderPlug } from './system-plug/folder-plug.js';
export { Tally } from './tally.js';
