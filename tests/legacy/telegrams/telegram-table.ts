/** One telegram of the maker's listing. */
export interface ListedTelegram {
  /** As text, with the kinds of numbers that the listing prints. */
  readonly request: string;
  /** The endpoint of the interface that it stands for; every scanner knows those without one. */
  readonly endpoint?: string;
  /** Layouts of the values of request and answer; nothing by default. */
  readonly takes?: string;
  readonly gives?: string;
  /** The values of the answer as text: these, of this form, or whatever fits the layout. */
  readonly answer?: string | RegExp;
  /** The same values in hex, where the listing prints them. */
  readonly takesBytes?: string;
  readonly givesBytes?: string;
  /** The error where the endpoint is missing, if it is not that of an unknown name. */
  readonly elsewhere?: string;
  /** How long it takes: until the end of a revolution, for example. ms. */
  readonly lasts?: number;
  /** What does not read the same in binary, as scan data. */
  readonly isOpen?: true;
  /** No blank follows the name in the binary acknowledgement. */
  readonly isBare?: true;
}

const time = 'u16 u8 u8 u8 u8 u8 u32';
const destination = 'enum8 4*(u8) u16';
const angles = 'bool i32 i32 i32 i32 u16';
const contour = 'u16 [i32 i32] i32 i32';
const contamination = 'enum8 u16 enum8 enum8 [bool] bool bool';
const port =
  'enum8 string enum8 u16 enum8 u16 u16 enum8 enum8 enum8 u32 u16 enum8 u16 u16 [text4 bool u8 u8] u16 u16 u16 u16';

const output = '1 6 InOut1 0 A 0 0 0 1 0 0 C8 1 1 0 0 1 SC01 0 0 0 0 0 0 0';
const input = (name: string) => `0 6 ${name} 0 A 1 0 0 0 0 0 C8 1 1 0 0 0 0 0 0 0`;
const threePorts = `${output} ${input('InOut2')} ${input('InOut3')}`;

/** A read of a value that the listing does not fix, or that was written before. */
const reads = (name: string, endpoint: string, gives: string, answer?: string | RegExp): ListedTelegram => ({
  request: `sRN ${name}`,
  endpoint,
  gives,
  answer,
});

const writes = (
  request: string,
  endpoint: string,
  takes: string,
  more: Partial<ListedTelegram> = {},
): ListedTelegram => ({ request: `sWN ${request}`, endpoint, takes, ...more });

const calls = (name: string, endpoint: string, gives?: string, answer?: string): ListedTelegram => ({
  request: `sMN ${name}`,
  endpoint,
  gives,
  answer,
});

const follows = (name: string, endpoint: string): ListedTelegram => ({
  request: `sEN ${name} 1`,
  endpoint,
  takes: 'enum8',
  gives: 'enum8',
  answer: '1',
});

const bare = { isBare: true } as const;

/** All 140 telegrams, in an order in which each one finds what the ones before have left. */
export const listedTelegrams: readonly ListedTelegram[] = [
  { request: 'sMN SetAccessMode 3 F4724744', takes: 'i8 u32', gives: 'bool', answer: '1' },
  { request: 'sMN CheckPassword 3 F4724744', takes: 'i8 u32', gives: 'bool', answer: '1' },
  { ...calls('EnableLegacyUserLevel 3 1', 'EnableLegacyUserLevel', 'bool', '1'), takes: 'u8 bool' },
  { ...calls('SetPassword 3 1920E4C9', 'SetPassword', 'bool', '1'), takes: 'i8 u32' },
  { request: 'sRN LMPscancfg', gives: 'u32 i16 u32 i32 i32', answer: '5DC 1 D05 FFF8AD00 22CA40' },
  writes('LMPautostartmeas 1', 'AutoStartMeasure', 'bool'),
  reads('LFTchecksum', 'LFTchecksum', 'bool string string string string', /^[01]( 20 [0-9a-f]{32}){4}$/),
  writes('SensitivityMode 1', 'SensitivityMode', 'enum8'),
  writes('ContaminationConfig 2 3C 2 6 7 1 1 1 1 1 1 1 1 1', 'ContaminationConfig', contamination, {
    takesBytes: '02003C02060007010101010101010101',
  }),
  reads('ContaminationConfig', 'ContaminationConfig', contamination, '2 3C 2 6 7 1 1 1 1 1 1 1 1 1'),
  reads('ContaminationData', 'ContaminationData', '[enum8]'),
  follows('ContaminationData', 'ContaminationData'),
  reads('ContaminationResult', 'ContaminationResult', 'bool bool', '0 0'),
  follows('ContaminationResult', 'ContaminationResult'),
  writes('treatBlockedSectorsAsErrorSectors 1', 'treatBlockedSectorsAsErrorSectors', 'bool', bare),
  reads('treatBlockedSectorsAsErrorSectors', 'treatBlockedSectorsAsErrorSectors', 'bool', '1'),
  writes('PerformanceProfileNumber 2', 'PerformanceProfileNumber', 'enum8'),
  calls('mEEwriteall', 'WriteEeprom', 'bool', '1'),
  { request: 'sMN Run', gives: 'bool', answer: '1' },
  writes(
    'LMDscandatacfg 0 0 1 0 0 0 0 0 0 0 0 +1',
    'ScanDataConfig',
    'u8 u8 u8 enum8 enum8 u8 u8 bool bool bool bool u16',
    { takesBytes: '00000100000000000000000001', elsewhere: 'A' },
  ),
  { request: 'sRN LMDscandata', isOpen: true, lasts: 200 },
  { request: 'sEN LMDscandata 1', takes: 'enum8', gives: 'enum8', answer: '1' },
  writes('ScanDataEnable 0', 'ScanDataEnable', 'bool'),
  writes('ScanDataEthSettings +1 +192 +168 +0 +100 +2115', 'ScanDataEthSettings', destination, {
    takesBytes: '01C0A800640843',
  }),
  reads('ScanDataEthSettings', 'ScanDataEthSettings', destination, '1 C0 A8 0 64 843'),
  writes('EncoderDataEnable 0', 'EncoderDataEnable', 'bool'),
  writes('EncoderDataEthSettings +1 +192 +168 +0 +100 +7503', 'EncoderDataEthSettings', destination),
  writes('ImuDataEnable 0', 'ImuDataEnable', 'bool'),
  writes('ImuDataEthSettings +1 +192 +168 +0 +100 +7503', 'ImuDataEthSettings', destination),
  writes('ScanDataFormat 2', 'ScanDataFormat', 'enum8'),
  reads('ScanDataFormat', 'ScanDataFormat', 'enum8', '2'),
  writes('EtherSessionTimeout +15000', 'EtherSessionTimeout', 'u32', bare),
  reads('EtherSessionTimeout', 'EtherSessionTimeout', 'u32', '3A98'),
  writes('compactTelegramType1Content 1 1', 'compactTelegramType1Content', 'bool bool', bare),
  reads('compactTelegramType1Content', 'compactTelegramType1Content', 'bool bool', '1 1'),
  writes('rosParentFrameId 5 world', 'rosParentFrameId', 'string'),
  reads('rosParentFrameId', 'rosParentFrameId', 'string', '5 world'),
  writes('rosFrameId 4 test', 'rosFrameId', 'string'),
  reads('rosFrameId', 'rosFrameId', 'string', '4 test'),
  writes('rosNamespace A rear_lidar', 'rosNamespace', 'string'),
  reads('rosNamespace', 'rosNamespace', 'string', 'A rear_lidar'),
  writes('rosDomainId 0', 'rosDomainId', 'u8', bare),
  reads('rosDomainId', 'rosDomainId', 'u8', '0'),
  {
    ...calls('LSPsetdatetime 7D9 2 11 10 22 0 0', 'LSPsetdatetime', 'enum8', '0'),
    takes: time,
    takesBytes: '07D9021110220000000000',
    givesBytes: '00',
  },
  // Off: no server is asked.
  writes('TSCRole 0', 'TSCRole', 'u8'),
  writes('TSCTCSrvAddr C0 A8 00 0B', 'TSCTCSrvAddr', '4*(u8)'),
  writes('TSCTCtimezone +36', 'TSCTCtimezone', 'enum8'),
  writes('TSCTCupdatetime +600', 'TSCTCupdatetime', 'u32'),
  writes('LFPparticle 1 +500', 'LFPparticle', 'bool u16'),
  writes('FREchoFilter 1', 'FREchoFilter', 'enum8'),
  writes('MCSenseLevel 1', 'MCSenseLevel', 'u8'),
  writes(
    'LFPcubicareafilter 0 FFFFB1E0 4E20 FFFFB1E0 4E20 FFFFB1E0 4E20',
    'LFPcubicareafilter',
    'bool 6*(i32)',
  ),
  writes('EnableLongRangeMode 1', 'EnableLongRangeMode', 'bool'),
  reads('EnableLongRangeMode', 'EnableLongRangeMode', 'bool', '1'),
  writes('LFPangleRangeFilter 1 -900000 +900000 -900000 +900000 1', 'LFPangleRangeFilter', angles, {
    takesBytes: '01FFF24460000DBBA0FFF24460000DBBA00001',
  }),
  reads('LFPangleRangeFilter', 'LFPangleRangeFilter', angles, '1 FFF24460 DBBA0 FFF24460 DBBA0 1'),
  writes('LFPintervalFilter 1 3', 'LFPintervalFilter', 'bool u32'),
  writes('LFPmovingAveragingFilter +0 +3', 'LFPmovingAveragingFilter', 'bool u16'),
  writes('LFPradialDistanceRangeFilter 0 0 30D40', 'LFPradialDistanceRangeFilter', 'bool i32 i32'),
  writes('LICencset 0', 'EncSetting', 'enum8'),
  writes('LICencres +1000', 'EncResolution', 'real', { takesBytes: '447A0000' }),
  calls('LIDrstencoderinc', 'mResetEncoderIncrement', 'enum8', '0'),
  writes('LICpos1enable 1', 'ActualEncPosition1Enable', 'bool'),
  reads('LICpos1enable', 'ActualEncPosition1Enable', 'bool', '1'),
  writes('LICpos2enable 1', 'ActualEncPosition2Enable', 'bool'),
  reads('LICpos2enable', 'ActualEncPosition2Enable', 'bool', '1'),
  writes(`PortConfiguration ${threePorts}`, 'PortConfiguration', `3*(${port})`),
  reads('PortConfiguration', 'PortConfiguration', `8*(${port})`, new RegExp(`^${threePorts} `)),
  reads('LIDportstate', 'PortState', `u16 u32 [enum8 u32] [enum8 u32] [${time}]`),
  reads('LIDinputstate', 'InputState', `u16 u32 8*(enum8) [${time}]`, /^1 [0-9A-F]+ 2 0 0 ([02] ){5}1 7/),
  reads('LIDoutputstate', 'OutputState', `u16 u32 8*(enum8 u32) [${time}]`),
  follows('LIDoutputstate', 'OutputState'),
  { ...calls('mDOSetOutput 1 1', 'SetOutput', 'bool', '1'), takes: 'u8 enum8' },
  calls('LIDrstoutpcnt', 'mResetOutputCounter', 'enum8', '0'),
  reads('DeviceIdent', 'DeviceIdent', 'string string', /^8 picoScan 8 \d\.\d\.\d\.0R$/),
  reads('FirmwareVersion', 'FirmwareVersion', 'string'),
  reads('DevSta', 'DeviceStatus', 'enum8', '3'),
  { request: 'sEN DevSta', endpoint: 'DeviceStatus', gives: 'enum8', answer: '1' },
  reads('SCdevicestate', 'SCdevicestate', 'enum8', /^[01]$/),
  { request: 'sEN SCdevicestate', endpoint: 'SCdevicestate', gives: 'enum8', answer: '1' },
  reads('OrdNum', 'OrderNumber', 'string', '7 1134610'),
  reads('SerialNumber', 'SerialNumber', 'string', '8 12345678'),
  reads('DItype', 'DeviceType', 'string', /^B picoScan1/),
  reads('ODoprh', 'OpHours', 'u32'),
  reads('ODopdaily', 'DailyOpHours', 'real'),
  reads('ODpwrc', 'PowerOnCnt', 'u32'),
  reads('OPcurtmpdev', 'CurrentTempDev', 'real', /^4[0-9A-F]{7}$/),
  writes('LocationName +9 LongRange', 'LocationName', 'string'),
  reads('LocationName', 'LocationName', 'string', '9 LongRange'),
  reads('LEDState', 'LEDState', '[enum8 enum8 text8]', '2 0 0 LED2\0\0\0\0 1 1 LED1\0\0\0\0'),
  { ...calls('FindMe 1', 'FindMe'), takes: 'u16' },
  reads('DIpara', 'LastParaDate', 'string', /^A \d\d\.\d\d\.\d{4}$/),
  reads('DIparatm', 'LastParaTime', 'string', /^5 \d\d:\d\d$/),
  reads('temperatureAlarmStatus', 'temperatureAlarmStatus', 'bool', '0'),
  writes('temperatureAlarmConfiguration 37 32', 'temperatureAlarmConfiguration', 'i8 i8'),
  reads('temperatureAlarmConfiguration', 'temperatureAlarmConfiguration', 'i8 i8', '37 32'),
  writes('EIIpAddr C0 A8 0 2', 'EtherIPAddress', '4*(u8)'),
  reads('EIIpAddr', 'EtherIPAddress', '4*(u8)', 'C0 A8 0 2'),
  reads('EIIpAddrDHCP', 'EtherIPAddressDHCP', '4*(u8)'),
  writes('EIDHCPFallback 1', 'EtherDHCPFallback', 'enum8'),
  writes('EIgate C0 A8 00 01', 'EtherIPGateAddress', '4*(u8)'),
  reads('EIgate', 'EtherIPGateAddress', '4*(u8)', 'C0 A8 0 1'),
  reads('EIgateDHCP', 'EtherIPGateAddressDHCP', '4*(u8)'),
  writes('EImask FF FF FE 00', 'EtherIPMask', '4*(u8)'),
  reads('EImask', 'EtherIPMask', '4*(u8)', 'FF FF FE 0'),
  reads('EImaskDHCP', 'EtherIPMaskDHCP', '4*(u8)'),
  reads('EIMacAdr', 'EtherMACAddress', '6*(u8)'),
  writes('EtherCoLaScanMode 2', 'EtherLegacyScanMode', 'u8'),
  reads('EtherCoLaScanMode', 'EtherLegacyScanMode', 'u8', '2'),
  writes('EIAuxEnable 1', 'EtherAuxEnabled', 'bool'),
  { ...calls('SetWebserverEnabled 1', 'SetWebserverEnabled'), takes: 'bool' },
  calls('GetWebserverEnabled', 'GetWebserverEnabled', 'bool', '1'),
  writes('LEDEnable 1', 'LEDEnable', 'bool'),
  writes('EIAuxPort +2111', 'EtherAuxIPPort', 'u16', bare),
  reads('EIAuxPort', 'EtherAuxIPPort', 'u16', '83F'),
  writes('EIHstPort +2112', 'EtherHostIPPort', 'u16', bare),
  reads('EIHstPort', 'EtherHostIPPort', 'u16', '840'),
  calls('mEthUpdt', 'EthernetUpdate'),
  writes('EIAddrMode 1', 'EtherAddressingMode', 'enum8'),
  writes('enableCloningPlug 1', 'enableCloningPlug', 'bool', bare),
  reads('enableCloningPlug', 'enableCloningPlug', 'bool', '1'),
  {
    ...calls('ActivateEvaluationGroup 2 1 0 +10 0', 'ActivateEvaluationGroup', '[bool]'),
    takes: '[u16 bool]',
    takesBytes: '0002000100000A00',
  },
  reads('EvaluationGroupType', 'EvaluationGroupType', '48*(enum8)', /^[01]( [01]){47}$/),
  {
    ...calls(
      'SetFieldEvaluationContour 1 4 +2000 +1000 +0 +1000 +0 +0 +2000 +0 +0 +0',
      'SetFieldEvaluationContour',
      'enum8',
      '0',
    ),
    takes: contour,
  },
  {
    ...calls(
      'GetFieldEvaluationContour 1',
      'GetFieldEvaluationContour',
      `[${contour}]`,
      '1 1 4 7D0 3E8 0 3E8 0 0 7D0 0 0 0',
    ),
    takes: 'u16',
  },
  reads(
    'FieldEvaluationResult',
    'FieldEvaluationResult',
    'u16 u64 48*(enum8 u16)',
    /^1 0 [1-5] 0( 0 0){47}$/,
  ),
  follows('FieldEvaluationResult', 'FieldEvaluationResult'),
  calls('StartTeachIn', 'StartTeachIn'),
  { ...calls('StopTeachIn', 'StopTeachIn'), lasts: 500 },
  reads('perpendicularDistanceResult', 'perpendicularDistanceResult', 'u64 [u16 8*(i32)]'),
  follows('perpendicularDistanceResult', 'perpendicularDistanceResult'),
  writes('EnableDetectionHistory 1', 'EnableDetectionHistory', 'bool', bare),
  reads('EnableDetectionHistory', 'EnableDetectionHistory', 'bool', '1'),
  calls('ResetDetectionHistory', 'ResetDetectionHistory'),
  calls('LMCstandby', 'mStandby', 'enum8', '0'),
  calls('LMCstartmeas', 'mStartMeasure', 'enum8', '0'),
  calls('LMCstopmeas', 'mStopMeasure', 'enum8', '0'),
  calls('mSCloadappdef', 'LoadApplicationDefaults'),
  calls('mSCloadfacdef', 'LoadFactoryDefaults'),
  calls('mSCreboot', 'RebootDevice'),
];
