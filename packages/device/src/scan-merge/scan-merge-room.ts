import { measurementDataOutput } from '@azimuth/model';
import { act, computed, type Room } from '../room.js';
import type { ScanMerge } from './scan-merge.js';

const {
  ScanMergerEnabled,
  ScanMergerSource,
  ScanMergeTrigger,
  EncoderTransformationType,
  EncoderRotation,
  EncoderTranslation,
  RotationOffset,
  StartScanMerge,
  StopScanMerge,
  ResetScanMergeView,
  MergeSaving,
} = measurementDataOutput.members;

/** The 3D recorder (specification, Measurement data output). What it has recorded is fetched as a file. */
export function scanMergeRoom(scanMerge: ScanMerge): Room {
  return {
    heeds: [
      ...[ScanMergerEnabled, ScanMergerSource, ScanMergeTrigger],
      ...[EncoderTransformationType, EncoderRotation, EncoderTranslation, RotationOffset],
    ],
    computed: [computed(MergeSaving, () => scanMerge.saving)],
    acts: [
      act(StartScanMerge, async () => {
        await scanMerge.ready();
        scanMerge.start();
        return {};
      }),
      act(StopScanMerge, () => {
        scanMerge.stop();
        return {};
      }),
      act(ResetScanMergeView, async () => {
        await scanMerge.reset();
        return {};
      }),
    ],
  };
}
