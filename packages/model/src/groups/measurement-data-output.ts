import { group, method, variable } from '../declaration.js';
import { ipv4 } from '../types/array.js';
import { boolean, enumeration } from '../types/enumeration.js';
import { float } from '../types/float.js';
import { integer } from '../types/integer.js';
import { string } from '../types/string.js';
import { struct } from '../types/struct.js';
import { furthestOffset, offset, stateChange } from './shared-types.js';

/** Destination of a data stream: protocol, address and port. Scan, IMU and encoder data have one each. */
export function streamDestination(port: number) {
  return struct({
    Protocol: enumeration({ UDP: 1, TCP: 2 }, 1),
    IPAddress: ipv4([192, 168, 0, 100]),
    Port: integer('uint16', { initial: port }),
  });
}

export const ScanDataFormat = { MSGPACK: 1, Compact: 2, LMDscandata: 3, NativeROS2: 4 } as const;

export const EncoderMode = {
  TX_OFF: 0,
  TX_INCREMENT1: 1,
  TX_DIR_PHASE12: 2,
  TX_DIR_LEVEL12: 3,
  TX_FIX_VELOCITY: 4,
} as const;

export const EncoderTransformation = { ROTATION: 0, TRANSLATION: 1 } as const;
export const ScanMergeSource = { IMU: 0, ENCODER: 1 } as const;
export const ScanMergeTrigger = { METHOD: 0 } as const;
/** Value for an input, which was allowed in older releases. */
const scanMergeTriggerOfInput = 1;

/** An angle in degrees. */
const angle = (initial = 0) => float({ minimum: -360, maximum: 360, initial });
/** A length in mm. */
const length = (initial = 0) => float({ minimum: -furthestOffset, maximum: furthestOffset, initial });

/** Switches of the scan-data telegram LMDscandata. Reserved members are stored as written. */
const scanDataConfig = struct({
  reserved: integer('uint16'),
  RemDataConfig: struct({
    bEnable: boolean(true),
    reserved1: integer('uint8'),
    reserved2: integer('uint8'),
  }),
  EnableEncoderBlock: boolean(),
  reserved1: boolean(),
  bEnableDeviceName: boolean(),
  reserved2: boolean(),
  bEnableTimeBlock: boolean(),
  reserved3: integer('uint16', { initial: 1 }),
});

export const measurementDataOutput = group('Measurement data output', {
  ScanDataEnable: variable(boolean(), {
    write: 'AuthorizedClient',
    text: 'Switches the scan data stream on.',
  }),
  ScanDataEthSettings: variable(streamDestination(2115), {
    write: 'AuthorizedClient',
    text: 'Destination of the scan data stream.',
  }),
  ScanDataFormat: variable(enumeration(ScanDataFormat, ScanDataFormat.Compact), {
    write: 'AuthorizedClient',
    text: 'Format of scan data: telegrams of the stream, LMDscandata for legacy sessions, or messages of native ROS 2.',
  }),
  ScanDataConfig: variable(scanDataConfig, {
    write: 'AuthorizedClient',
    since: '2.3.1',
    text: 'What an LMDscandata telegram contains in addition to distances: remission, encoder, device name, time.',
  }),
  compactTelegramType1Content: variable(
    struct({ includeRssi: boolean(true), includeProperties: boolean(true) }),
    {
      write: 'AuthorizedClient',
      since: '2.3.1',
      text: 'Whether Compact scan telegrams contain the signal strength and the properties of each echo.',
    },
  ),
  rosDomainId: variable(integer('uint8', { maximum: 232 }), {
    write: 'AuthorizedClient',
    since: '2.3.1',
    text: 'ROS 2 domain in which the scanner publishes.',
  }),
  rosFrameId: variable(string({ maxLength: 64, initial: 'picoScan_' }), {
    write: 'AuthorizedClient',
    since: '2.2.0',
    text: 'ROS frame of the measured points.',
  }),
  rosParentFrameId: variable(string({ maxLength: 64, initial: 'world' }), {
    write: 'AuthorizedClient',
    since: '2.2.0',
    text: 'Parent of the ROS frame of the scanner, in the transform that it publishes.',
  }),
  rosNamespace: variable(string({ maxLength: 64 }), {
    write: 'AuthorizedClient',
    since: '2.2.0',
    text: 'ROS namespace of the topics. Empty: no namespace.',
  }),
  EncSetting: variable(enumeration(EncoderMode, EncoderMode.TX_OFF), {
    write: 'AuthorizedClient',
    since: '2.2.0',
    variant: 'full',
    text: 'Source of the encoder ticks: none, one signal, two signals, or a fixed speed.',
  }),
  EncResolution: variable(float({ minimum: 0.001, maximum: 2000, initial: 1 }), {
    write: 'AuthorizedClient',
    since: '2.2.0',
    variant: 'full',
    unit: 'mm per tick',
    text: 'Distance between two encoder ticks.',
  }),
  ActualEncPosition1Enable: variable(boolean(), {
    write: 'AuthorizedClient',
    since: '2.2.0',
    variant: 'full',
    text: 'Switches the first reference signal of the encoder on.',
  }),
  ActualEncPosition2Enable: variable(boolean(), {
    write: 'AuthorizedClient',
    since: '2.2.0',
    variant: 'full',
    text: 'Switches the second reference signal of the encoder on.',
  }),
  mResetEncoderIncrement: method({
    level: 'AuthorizedClient',
    since: '2.2.0',
    variant: 'full',
    response: { ErrorCode: stateChange() },
    done: { ErrorCode: 0 },
    loses: 'the position of the encoder',
    text: 'Sets the encoder tick to zero.',
  }),
  EncoderDataEnable: variable(boolean(), {
    write: 'AuthorizedClient',
    since: '2.2.0',
    variant: 'full',
    text: 'Switches the encoder data stream on.',
  }),
  EncoderDataEthSettings: variable(streamDestination(7504), {
    write: 'AuthorizedClient',
    since: '2.2.0',
    variant: 'full',
    text: 'Destination of the encoder data stream.',
  }),
  ScanMergerEnabled: variable(boolean(), {
    write: 'AuthorizedClient',
    since: '2.3.1',
    variant: 'full',
    text: 'Switches the 3D scan recorder on.',
  }),
  ScanMergerSource: variable(enumeration(ScanMergeSource, ScanMergeSource.IMU), {
    write: 'AuthorizedClient',
    since: '2.3.1',
    variant: 'full',
    text: 'Source of the movement data for the recorder: the IMU of the scanner, or an encoder.',
  }),
  ScanMergeTrigger: variable(enumeration(ScanMergeTrigger, ScanMergeTrigger.METHOD), {
    write: 'AuthorizedClient',
    since: '2.3.1',
    variant: 'full',
    migrates: (json) => (json === scanMergeTriggerOfInput ? ScanMergeTrigger.METHOD : json),
    text: 'What starts and stops a recording: calls.',
  }),
  EncoderTransformationType: variable(enumeration(EncoderTransformation, EncoderTransformation.ROTATION), {
    write: 'AuthorizedClient',
    since: '2.3.1',
    variant: 'full',
    text: 'Movement that the encoder measures: rotation, or movement along a line.',
  }),
  EncoderRotation: variable(struct({ yaw: angle(), pitch: angle(0.1), roll: angle() }), {
    write: 'AuthorizedClient',
    since: '2.3.1',
    variant: 'full',
    unit: '°',
    text: 'Angle by which the scanner rotates between two encoder ticks.',
  }),
  EncoderTranslation: variable(struct({ x: length(), y: length(), z: length(1) }), {
    write: 'AuthorizedClient',
    since: '2.3.1',
    variant: 'full',
    unit: 'mm',
    text: 'Distance that the scanner moves between two encoder ticks.',
  }),
  RotationOffset: variable(struct({ x: offset(), y: offset(), z: offset() }), {
    write: 'AuthorizedClient',
    since: '2.3.1',
    variant: 'full',
    unit: 'mm',
    text: 'Distance of the scanner from its axis of rotation.',
  }),
  StartScanMerge: method({
    level: 'AuthorizedClient',
    since: '2.3.1',
    variant: 'full',
    text: 'Starts a 3D recording.',
  }),
  StopScanMerge: method({
    level: 'AuthorizedClient',
    since: '2.3.1',
    variant: 'full',
    text: 'Ends the 3D recording, and saves it.',
  }),
  ResetScanMergeView: method({
    level: 'AuthorizedClient',
    since: '2.3.1',
    variant: 'full',
    loses: 'the recorded point clouds',
    text: 'Removes the recorded point clouds.',
  }),
  MergeRunning: variable(boolean(), {
    since: '2.3.1',
    variant: 'full',
    text: 'Whether a 3D recording is being made. The published description lacks it.',
  }),
  MergeSaving: variable(boolean(), {
    since: '2.3.1',
    variant: 'full',
    text: 'Whether a 3D recording is being saved.',
  }),
  SaveProgress: variable(integer('uint8', { maximum: 100 }), {
    since: '2.3.1',
    variant: 'full',
    unit: '%',
    text: 'How much of the latest 3D recording is saved. The published description lacks it.',
  }),
});
