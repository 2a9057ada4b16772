import { imuDataOutput, measurementDataOutput, type Variable } from '@azimuth/model';
import type { StreamSettings } from '../data-route/data-destination.js';

const { ScanDataEnable, ScanDataEthSettings, EncoderDataEnable, EncoderDataEthSettings } =
  measurementDataOutput.members;
const { ImuDataEnable, ImuDataEthSettings } = imuDataOutput.members;

/** A stream of telegrams that a scanner sends to a destination of its own. */
export interface DataStream {
  /** Its label in the metrics of the scanner. */
  readonly id: 'scan' | 'imu' | 'encoder';
  readonly title: string;
  /** Its content in one line. */
  readonly content: string;
  readonly enable: Variable<boolean>;
  readonly destination: Variable<StreamSettings>;
}

export const scanStream: DataStream = {
  id: 'scan',
  title: 'Scan data',
  content: 'What it measures, segment by segment.',
  enable: ScanDataEnable,
  destination: ScanDataEthSettings,
};

export const streams: readonly DataStream[] = [
  scanStream,
  {
    id: 'imu',
    title: 'IMU data',
    content: 'Acceleration, rotation and position of the scanner.',
    enable: ImuDataEnable,
    destination: ImuDataEthSettings,
  },
  {
    id: 'encoder',
    title: 'Encoder data',
    content: 'Ticks and speed of an encoder at the ports.',
    enable: EncoderDataEnable,
    destination: EncoderDataEthSettings,
  },
];
