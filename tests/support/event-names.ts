/** The events of /apievents. */
export const events = [
  'DeviceStatus',
  'SCdevicestate',
  'FieldEvaluationResult',
  'perpendicularDistanceResult',
  'InputState',
  'OutputState',
  'PortState',
  'ContaminationData',
  'ContaminationResult',
  'InertialMeasurementUnit',
  'CurrentTempDev',
  'temperatureAlarmStatus',
  'UpdateState',
  'LSPdatetime',
] as const;

export type EventName = (typeof events)[number];

/** Events that the variant basic does not have. */
export const ofFullOnly: readonly EventName[] = [
  'FieldEvaluationResult',
  'perpendicularDistanceResult',
  'ContaminationData',
  'ContaminationResult',
  'InertialMeasurementUnit',
];
