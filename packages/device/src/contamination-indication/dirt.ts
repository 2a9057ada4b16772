import { ContaminationThreshold } from '@azimuth/model';

/** The share of light, 0 to 1, from which on not even the strongest echo (RSSI 65535 * 0.05² = 164) is detected. */
const blockedFrom = 0.95;

/** How dirty a sector is, the cleanest first. */
export const Dirt = { clean: 0, warning: 1, error: 2, blocked: 3 } as const;
export type Dirt = (typeof Dirt)[keyof typeof Dirt];

type Threshold = (typeof ContaminationThreshold)[keyof typeof ContaminationThreshold];

/** The shares of light that a sector has to take away for a warning and for an error. */
const limits: Readonly<Record<Threshold, { readonly warning: number; readonly error: number }>> = {
  [ContaminationThreshold.CM_LOW]: { warning: 0.15, error: 0.3 },
  [ContaminationThreshold.CM_MID]: { warning: 0.3, error: 0.5 },
  [ContaminationThreshold.CM_HIGH]: { warning: 0.5, error: 0.7 },
};

/** What eThreshold makes of the share of light that a sector takes away. */
export function dirtOf(level: number, threshold: Threshold): Dirt {
  const { warning, error } = limits[threshold];
  if (level >= blockedFrom) return Dirt.blocked;
  if (level >= error) return Dirt.error;
  return level >= warning ? Dirt.warning : Dirt.clean;
}
