import type { Device } from '@azimuth/device';
import { measurementDataOutput } from '@azimuth/model';
import type { Recorder } from './page.js';

/** The 3D recorder of a scanner; undefined where its release or variant has none. */
export function recorderOf(device: Device & { readonly scanMerge?: Recorder }): Recorder | undefined {
  return measurementDataOutput.members.StartScanMerge.isIn(device.edition) ? device.scanMerge : undefined;
}
