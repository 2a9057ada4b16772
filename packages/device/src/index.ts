/** @packageDocumentation @experimental */

export type { Passwords } from './access/credentials.js';
/** @stable */
export { SystemClock } from './clock/system-clock.js';
/** @stable */
export { VirtualClock } from './clock/virtual-clock.js';
/** @stable */
export type { Device, DeviceOptions } from './device.js';
export { DowngradeRefused, OtherProduct } from './firmware-record.js';
/** @stable */
export {
  type Identity,
  isSerialNumber,
  randomSerialNumber,
  type StatedIdentity,
  type StoredIdentityOptions,
  storedIdentity,
  virtualIdentity,
} from './identity/identity.js';
/** @stable */
export type { Clock, Log, LogFields, MovableClock, Random, Storage } from './interfaces/environment.js';
/** @stable */
export { SystemRandom } from './interfaces/environment.js';
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
export type { PtpConnection, PtpDatagram, PtpListener, PtpNetwork } from './interfaces/time-sources.js';
export type { CoreSource } from './measuring/core-source.js';
/** @stable */
export { RevolutionTimer } from './measuring/revolutions.js';
/** @stable */
export {
  angleOf,
  beamFan,
  EchoFlag,
  echoesPerBeam,
  geometryOf,
  Scan,
  type ScanGeometry,
} from './scan/scan.js';
export { FolderInUse } from './storage/folder-lock.js';
/** @stable */
export { FolderStorage } from './storage/folder-storage.js';
/** @stable */
export { MemoryStorage } from './storage/memory-storage.js';
export { StorageUnavailable } from './storage/storage-failure.js';
export { FolderPlug } from './system-plug/folder-plug.js';
