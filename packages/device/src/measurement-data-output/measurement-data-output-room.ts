import { legacyProtocols, measurementDataOutput } from '@azimuth/model';
import { act, type Room } from '../room.js';
import type { Encoder } from './encoder.js';

const {
  ScanDataEnable,
  ScanDataEthSettings,
  ScanDataFormat,
  ScanDataConfig,
  compactTelegramType1Content,
  EncSetting,
  EncResolution,
  ActualEncPosition1Enable,
  ActualEncPosition2Enable,
  EncoderDataEnable,
  EncoderDataEthSettings,
  mResetEncoderIncrement,
} = measurementDataOutput.members;

const { EtherSessionTimeout } = legacyProtocols.members;

/** The encoder. The streams themselves go out over a wire. */
export function measurementDataOutputRoom(encoder: Encoder): Room {
  return {
    heeds: [
      ...[ScanDataEnable, ScanDataEthSettings, ScanDataFormat, ScanDataConfig, compactTelegramType1Content],
      ...[EncSetting, EncResolution, ActualEncPosition1Enable, ActualEncPosition2Enable],
      ...[EncoderDataEnable, EncoderDataEthSettings, EtherSessionTimeout],
    ],
    acts: [
      act(mResetEncoderIncrement, () => {
        encoder.reset();
        return { ErrorCode: 0 };
      }),
    ],
  };
}
