import type { ScanTelegram } from '@azimuth/telegrams';

/**
 * The same as an object for a library that knows nothing of scans: keys are the numbers of the MSGPACK format, arrays
 * are the bytes as they stand in memory. Nothing is copied, converted or put in another order.
 */
export function asObject({ sequence, transmitTime, modules }: ScanTelegram): object {
  const [first] = modules;
  return {
    16: 0x90,
    17: {
      176: sequence,
      177: transmitTime,
      145: first?.segmentIndex,
      146: first?.frameNumber,
      147: first?.availability === 1,
      148: first?.sender,
      160: [0],
      150: modules.map((module) => ({
        16: 0x70,
        17: {
          113: module.firstBeamTime[0],
          114: module.lastBeamTime[0],
          115: module.firstAzimuth[0],
          116: module.lastAzimuth[0],
          117: module.frameNumber,
          118: 0,
          80: module.azimuth,
          82: module.distance,
          83: module.rssi,
          84: module.properties,
          119: module.columns,
          120: module.echoes,
        },
      })),
    },
  };
}
