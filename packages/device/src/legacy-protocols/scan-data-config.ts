import {
  boolean,
  EchoFilter,
  filter,
  integer,
  measurementDataOutput,
  struct,
  type ValueOf,
} from '@azimuth/model';
import { type LegacyName, legacyVariable, type Scanner } from './legacy-name.js';

const { ScanDataConfig } = measurementDataOutput.members;
const { FREchoFilter } = filter.members;

const config = struct({
  /** Bit n - 1 is the channel of echo n; the low byte comes first. */
  channelsLow: integer('uint8'),
  channelsHigh: integer('uint8'),
  remission: integer('uint8'),
  resolution: integer('uint8', { maximum: 1 }),
  unit: integer('uint8', { maximum: 1 }),
  encoder: integer('uint8'),
  encoderHigh: integer('uint8'),
  position: boolean(),
  deviceName: boolean(),
  comment: boolean(),
  time: boolean(),
  interval: integer('uint16', { initial: 1 }),
});

/**
 * LMDscandatacfg: ScanDataConfig under its older name, with the same members in the same order; members that are reserved
 * there keep what is written here. The channels are those of the echoes that FREchoFilter passes, until others are
 * written. Below release 2.3.1, which has no ScanDataConfig, it is read-only and describes what is sent.
 */
export const lmdScanDataConfig: LegacyName = legacyVariable(config, {
  from: [ScanDataConfig, FREchoFilter],
  read: (device) => {
    const it = configOf(device);
    const channels = channelsOf(device, it);
    return {
      channelsLow: channels & 0xff,
      channelsHigh: channels >> 8,
      remission: Number(it.RemDataConfig.bEnable),
      // Remission is always sent with 16 bits.
      resolution: 1,
      unit: Math.min(it.RemDataConfig.reserved2, 1),
      encoder: Number(it.EnableEncoderBlock),
      encoderHigh: 0,
      position: it.reserved1,
      deviceName: it.bEnableDeviceName,
      comment: it.reserved2,
      time: it.bEnableTimeBlock,
      interval: it.reserved3,
    };
  },
  level: 'AuthorizedClient',
  isWritable: (edition) => ScanDataConfig.isIn(edition),
  write: (device, written) => {
    const before = configOf(device);
    const channels = written.channelsLow + 256 * written.channelsHigh;
    device.parameters.change((change) =>
      change.set(ScanDataConfig, {
        reserved: channels === channelsOf(device, before) ? before.reserved : channels,
        RemDataConfig: {
          bEnable: (written.remission & 1) === 1,
          reserved1: before.RemDataConfig.reserved1,
          reserved2: written.unit,
        },
        EnableEncoderBlock: written.encoder !== 0 || written.encoderHigh !== 0,
        reserved1: written.position,
        bEnableDeviceName: written.deviceName,
        reserved2: written.comment,
        bEnableTimeBlock: written.time,
        reserved3: written.interval,
      }),
    );
  },
});

function configOf(device: Scanner): ValueOf<'ScanDataConfig'> {
  return device.read(ScanDataConfig);
}

function channelsOf({ parameters }: Scanner, { reserved }: ValueOf<'ScanDataConfig'>): number {
  if (reserved !== 0) return reserved;
  return parameters.read(FREchoFilter) === EchoFilter.ALL_ECHOS ? 0b111 : 0b1;
}
