import type { VariableName } from '@azimuth/model';

/**
 * The variables that scanners push, for the types: in a type the model tells variables apart by their values alone. A
 * test holds them against its events.
 */
export const eventNames = [
  'DeviceStatus',
  'SCdevicestate',
  'temperatureAlarmStatus',
  'LSPdatetime',
  'ContaminationData',
  'ContaminationResult',
  'InputState',
  'OutputState',
  'PortState',
  'InertialMeasurementUnit',
  'FieldEvaluationResult',
  'perpendicularDistanceResult',
  'CurrentTempDev',
  'UpdateState',
] as const satisfies readonly VariableName[];

export type EventName = (typeof eventNames)[number];
