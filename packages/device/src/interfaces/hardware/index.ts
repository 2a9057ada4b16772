export type { ClockDiscipline, ClockHardware } from './clock.js';
export type { FirmwareInstaller } from './firmware.js';
export type { Hardware } from './hardware.js';
export type { Lamp, PinLevel } from './indicators.js';
export type { AddressSet, NetworkHardware, NetworkSettings } from './network.js';
export type { RebootKind } from './reboot.js';
export type { EncoderByCount, EncoderBySpeed, EncoderHardware, Sensor } from './sensors.js';
export { PlugFailure, type SystemPlug } from './system-plug.js';
