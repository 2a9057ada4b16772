import {
  basicSettings,
  device,
  type Edition,
  ethernet,
  general,
  inputsAndOutputs,
  legacyProtocols,
  measurementDataOutput,
  operatingData,
  status,
} from '@azimuth/model';
import { alias, type LegacyName } from './legacy-name.js';
import {
  activeApplications,
  hostDialect,
  isSystemReady,
  lfeRec,
  lmdScanDataConfig,
  monitoredFieldChanges,
  noField,
  scanLayerFilter,
  setScanConfig,
  setScanConfigOfList,
  stLms,
} from './legacy-variables.js';
import { lmpOutputRange, lmpScanConfig } from './output-range.js';

const { WriteEeprom, RebootDevice, SoftReset, LoadFactoryDefaults, LoadApplicationDefaults } =
  general.members;
const { DeviceType, OrderNumber } = device.members;
const { AutoStartMeasure, mStartMeasure, mStopMeasure, mStandby } = basicSettings.members;
const {
  EtherIPAddress,
  EtherIPAddressDHCP,
  EtherIPMask,
  EtherIPMaskDHCP,
  EtherIPGateAddress,
  EtherIPGateAddressDHCP,
  EtherAddressingMode,
  EtherDHCPFallback,
  EtherMACAddress,
  EthernetUpdate,
} = ethernet.members;
const { EtherAuxEnabled, EtherAuxIPPort, EtherHostIPPort } = legacyProtocols.members;
const { InputState, OutputState, PortState, SetOutput, mResetOutputCounter } = inputsAndOutputs.members;
const {
  EncSetting,
  EncResolution,
  ActualEncPosition1Enable,
  ActualEncPosition2Enable,
  mResetEncoderIncrement,
} = measurementDataOutput.members;
const { OpHours, DailyOpHours, PowerOnCnt, CurrentTempDev, LastParaDate, LastParaTime } =
  operatingData.members;
const { DeviceStatus } = status.members;

/** Drivers read as many fields, one by one. */
const fieldNames = Array.from({ length: 48 }, (_, index) => `field${String(index).padStart(3, '0')}`);

/**
 * The legacy names: clients of this device family use them, and the interface does not have them. Names that the
 * interface has, too (DeviceIdent, SCdevicestate, FREchoFilter …), need no entry.
 */
export const legacyNames: ReadonlyMap<string, LegacyName> = new Map<string, LegacyName>([
  ['mEEwriteall', alias(WriteEeprom)],
  ['mSCreboot', alias(RebootDevice)],
  ['mSCsoftreset', alias(SoftReset, { ProcessorNbr: 0 })],
  ['mSCloadfacdef', alias(LoadFactoryDefaults)],
  ['mSCloadappdef', alias(LoadApplicationDefaults)],
  ['LMCstartmeas', alias(mStartMeasure)],
  ['LMCstopmeas', alias(mStopMeasure)],
  ['LMCstandby', alias(mStandby)],
  ['LMPautostartmeas', alias(AutoStartMeasure)],
  ['mDOSetOutput', alias(SetOutput)],
  ['LIDrstoutpcnt', alias(mResetOutputCounter)],
  ['ODoprh', alias(OpHours)],
  ['ODopdaily', alias(DailyOpHours)],
  ['ODpwrc', alias(PowerOnCnt)],
  ['OPcurtmpdev', alias(CurrentTempDev)],
  ['DIpara', alias(LastParaDate)],
  ['DIparatm', alias(LastParaTime)],
  ['DevSta', alias(DeviceStatus)],
  ['EIIpAddr', alias(EtherIPAddress)],
  ['EIIpAddrDHCP', alias(EtherIPAddressDHCP)],
  ['EImask', alias(EtherIPMask)],
  ['EImaskDHCP', alias(EtherIPMaskDHCP)],
  ['EIgate', alias(EtherIPGateAddress)],
  ['EIgateDHCP', alias(EtherIPGateAddressDHCP)],
  ['EIAddrMode', alias(EtherAddressingMode)],
  ['EIDHCPFallback', alias(EtherDHCPFallback)],
  ['EIMacAdr', alias(EtherMACAddress)],
  ['EIAuxEnable', alias(EtherAuxEnabled)],
  ['EIAuxPort', alias(EtherAuxIPPort)],
  ['EIHstPort', alias(EtherHostIPPort)],
  ['mEthUpdt', alias(EthernetUpdate)],
  ['LIDinputstate', alias(InputState)],
  ['LIDoutputstate', alias(OutputState)],
  ['LIDportstate', alias(PortState)],
  ['LICencset', alias(EncSetting)],
  ['LICencres', alias(EncResolution)],
  ['LICpos1enable', alias(ActualEncPosition1Enable)],
  ['LICpos2enable', alias(ActualEncPosition2Enable)],
  ['LIDrstencoderinc', alias(mResetEncoderIncrement)],
  ['LFErec', lfeRec],
  ['LMPoutputRange', lmpOutputRange],
  ['LMPscancfg', lmpScanConfig],
  ['LMDscandatacfg', lmdScanDataConfig],
  ['LMDscandata', { kind: 'scanData' }],
  ['EIHstCola', hostDialect],
  ['STlms', stLms],
  ['DItype', alias(DeviceType)],
  ['OrdNum', alias(OrderNumber)],
  ['IsSystemReady', isSystemReady],
  ['mLMPsetscancfg', setScanConfig],
  ['mCLsetscancfglist', setScanConfigOfList],
  ['SetActiveApplications', activeApplications],
  ['ScanLayerFilter', scanLayerFilter],
  ['ECRChangeArr', monitoredFieldChanges],
  ...fieldNames.map((name) => [name, noField] as const),
]);

/** The legacy names of a scanner of this edition: an alias is known only if its endpoint is. */
export function legacyNamesOf(edition: Edition): ReadonlyMap<string, LegacyName> {
  return new Map(
    [...legacyNames].filter(([, entry]) => entry.kind !== 'alias' || entry.endpoint.isIn(edition)),
  );
}
