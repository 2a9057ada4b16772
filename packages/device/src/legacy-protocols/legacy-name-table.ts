import {
  basicSettings,
  device,
  type Edition,
  ethernet,
  general,
  inputsAndOutputs,
  operatingData,
} from '@azimuth/model';
import { lfeRec } from './field-results.js';
import { alias, type LegacyName } from './legacy-name.js';
import {
  activeApplications,
  hostDialect,
  isSystemReady,
  lidInputState,
  monitoredFieldChanges,
  noField,
  scanLayerFilter,
  setScanConfig,
  setScanConfigOfList,
  stLms,
} from './legacy-variables.js';
import { lmpOutputRange, lmpScanConfig } from './output-range.js';
import { lmdScanDataConfig } from './scan-data-config.js';

const { WriteEeprom, RebootDevice, SoftReset, LoadFactoryDefaults, LoadApplicationDefaults } =
  general.members;
const { DeviceType, OrderNumber } = device.members;
const { mStartMeasure, mStopMeasure, mStandby } = basicSettings.members;
const { EtherIPAddress, EtherIPMask, EtherIPGateAddress } = ethernet.members;
const { OutputState, SetOutput, mResetOutputCounter } = inputsAndOutputs.members;
const { OpHours, PowerOnCnt } = operatingData.members;

/** Drivers read as many fields, one by one. */
const fieldNames = Array.from({ length: 48 }, (_, index) => `field${String(index).padStart(3, '0')}`);

/**
 * The legacy names: those that clients of this device family send and the interface does not have. Names that the
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
  ['mDOSetOutput', alias(SetOutput)],
  ['LIDrstoutpcnt', alias(mResetOutputCounter)],
  ['ODoprh', alias(OpHours)],
  ['ODpwrc', alias(PowerOnCnt)],
  ['EIIpAddr', alias(EtherIPAddress)],
  ['EImask', alias(EtherIPMask)],
  ['EIgate', alias(EtherIPGateAddress)],
  ['LIDoutputstate', alias(OutputState)],
  ['LIDinputstate', lidInputState],
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
