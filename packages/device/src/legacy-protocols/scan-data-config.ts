import { boolean, integer, measurementDataOutput, struct } from '@azimuth/model';
import { type LegacyName, legacyVariable } from './legacy-name.js';

const { ScanDataConfig } = measurementDataOutput.members;

/** Thirteen bytes. Members that are named reserved have a meaning on other families, whose clients write them. */
const config = struct({
  reserved1: integer('uint8'),
  reserved2: integer('uint8'),
  remission: integer('uint8'),
  reserved3: integer('uint8'),
  reserved4: integer('uint8'),
  encoder: integer('uint8'),
  encoderHigh: integer('uint8'),
  reserved5: boolean(),
  deviceName: boolean(),
  reserved6: boolean(),
  time: boolean(),
  reserved7: integer('uint16', { initial: 1 }),
});

/**
 * LMDscandatacfg: ScanDataConfig under its older name. Reserved members are read as they leave the factory, and have no effect
 * when they are written. Below release 2.3.1, which has no ScanDataConfig, it is read-only and describes what is sent.
 */
export const lmdScanDataConfig: LegacyName = legacyVariable(config, {
  from: [ScanDataConfig],
  read: (device) => {
    const it = device.read(ScanDataConfig);
    return {
      ...config.initial,
      remission: Number(it.RemDataConfig.bEnable),
      encoder: Number(it.EnableEncoderBlock),
      deviceName: it.bEnableDeviceName,
      time: it.bEnableTimeBlock,
    };
  },
  level: 'AuthorizedClient',
  isWritable: (edition) => ScanDataConfig.isIn(edition),
  write: (device, written) => {
    const before = device.read(ScanDataConfig);
    device.parameters.change((change) =>
      change.set(ScanDataConfig, {
        ...before,
        RemDataConfig: { ...before.RemDataConfig, bEnable: (written.remission & 1) === 1 },
        EnableEncoderBlock: written.encoder !== 0 || written.encoderHigh !== 0,
        bEnableDeviceName: written.deviceName,
        bEnableTimeBlock: written.time,
      }),
    );
  },
});
