export * from './backup-restore.js';
export * from './basic-settings.js';
export * from './contamination-indication.js';
export * from './cybersecurity.js';
export * from './data-reduction.js';
export * from './date-and-system-time.js';
export * from './detection-history.js';
export * from './device.js';
export * from './diagnostic-file.js';
export * from './ethernet.js';
export * from './field-evaluation.js';
export * from './field-limits.js';
export * from './filter.js';
export * from './firmware-update.js';
export * from './general.js';
export * from './imu-data-output.js';
export * from './inputs-and-outputs.js';
export * from './legacy-protocols.js';
export * from './measurement-data-output.js';
export * from './mounting-position.js';
export * from './operating-data.js';
export * from './perpendicular-distance.js';
export {
  EncoderPort,
  InputSensitivity,
  OutputMode,
  OutputRestart,
  PortLogic,
  PortType,
  portCount,
  SourceCombination,
} from './port-configuration.js';
export { IOState, PortState } from './port-state.js';
export * from './region-of-interest.js';
export { StateChange } from './state-change.js';
export * from './status.js';
export { ianaZones, TimeZone } from './time-zones.js';
export * from './webserver-settings.js';
