import type { Device } from '@azimuth/device';

/** The parts of a scanner that its data streams come from. */
export type Measured = Pick<
  Device,
  'measuring' | 'imu' | 'encoder' | 'telegramTime' | 'parameters' | 'identity'
>;
