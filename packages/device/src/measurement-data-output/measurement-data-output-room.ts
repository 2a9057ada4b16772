import { measurementDataOutput } from '@azimuth/model';
import type { Room } from '../room.js';

const { rosDomainId, rosFrameId, rosParentFrameId, rosNamespace } = measurementDataOutput.members;

/** The names for ROS: kept for whoever asks, and nothing more is behind them. */
export function measurementDataOutputRoom(): Room {
  return { heeds: [rosDomainId, rosFrameId, rosParentFrameId, rosNamespace] };
}
