/*
 * The telegrams of the maker's listing, name by name: the second reading of their layouts. The values of writes are as the
 * listing prints them, where it does.
 */

/** A variable of the legacy protocol. Each one that can be written can be read, too. */
export interface ListedVariable {
  readonly name: string;
  /** The same over REST; undefined if there is none. */
  readonly rest?: string;
  readonly layout: string;
  /** Two different values to write, as text; undefined if it is read-only, or has cases of its own. */
  readonly written?: readonly [string, string];
  /** Members that change all the time. */
  readonly varying?: readonly string[];
  /** Members of REST that no telegram has. */
  readonly unsent?: readonly string[];
  /** What the values are as text, whatever they are over REST: a regular expression. */
  readonly pattern?: string;
  /** No blank follows the name in the binary acknowledgement of a write. */
  readonly isBare?: true;
  /** Subscriptions to it are listed: `bare` without a value behind the name. */
  readonly event?: 'switched' | 'bare';
}

const time = 'u16 u8 u8 u8 u8 u8 u32';
/** Times of a state: they go on from read to read. */
const timed = ['udiSystCount', 'usiMinute', 'usiSec', 'udiUSec'];
const destination = 'enum8 4*(u8) u16';
const angles = 'bool i32 i32 i32 i32 u16';
const contamination = 'enum8 u16 enum8 enum8 [bool] bool bool';
export const portLayout =
  'enum8 string enum8 u16 enum8 u16 u16 enum8 enum8 enum8 u32 u16 enum8 u16 u16 [text4 bool u8 u8] u16 u16 u16 u16';
const truth = { layout: 'bool', written: ['1', '0'] } as const;
const address = { layout: '4*(u8)', written: ['C0 A8 0 2', '+10 +0 +0 +7'] } as const;
const text = { layout: 'string', written: ['A rear_lidar', '+4 test'] } as const;
const bare = { isBare: true } as const;

/** A variable whose name is that of REST. */
const same = (name: string, facts: Omit<ListedVariable, 'name' | 'rest'>): ListedVariable => ({
  name,
  rest: name,
  ...facts,
});

/** A variable whose name is another one over REST. */
const renamed = (
  name: string,
  rest: string,
  facts: Omit<ListedVariable, 'name' | 'rest'>,
): ListedVariable => ({
  name,
  rest,
  ...facts,
});

export const listedVariables: readonly ListedVariable[] = [
  {
    name: 'LMPscancfg',
    layout: 'u32 i16 u32 i32 i32',
    pattern: '^[0-9A-F]+ 1 [0-9A-F]+ [0-9A-F]+ [0-9A-F]+$',
  },
  renamed('LMPautostartmeas', 'AutoStartMeasure', truth),
  same('LFTchecksum', {
    layout: 'bool string string string string',
    pattern: '^[01]( 20 [0-9A-Fa-f]{32}){4}$',
  }),
  same('SensitivityMode', { layout: 'enum8', written: ['0', '2'] }),
  same('ContaminationConfig', {
    layout: contamination,
    written: ['2 3C 2 6 7 1 1 1 1 1 1 1 1 1', '0 3 0 0 7 1 1 1 1 0 1 1 0 1'],
  }),
  same('ContaminationData', { layout: '[enum8]', pattern: '^7( [0-3]){7}$', event: 'switched' }),
  same('ContaminationResult', { layout: 'bool bool', event: 'switched' }),
  same('treatBlockedSectorsAsErrorSectors', { ...truth, ...bare }),
  same('PerformanceProfileNumber', { layout: 'enum8', written: ['A', '2'] }),
  same('ScanDataEnable', truth),
  same('ScanDataEthSettings', {
    layout: destination,
    written: ['+1 +192 +168 +0 +100 +2115', '1 C0 A8 0 65 844'],
  }),
  same('EncoderDataEnable', truth),
  same('EncoderDataEthSettings', {
    layout: destination,
    written: ['+1 +192 +168 +0 +100 +7503', '1 C0 A8 0 65 1D50'],
  }),
  same('ImuDataEnable', truth),
  same('ImuDataEthSettings', {
    layout: destination,
    written: ['+1 +192 +168 +0 +100 +7503', '1 C0 A8 0 65 1D50'],
  }),
  same('ScanDataFormat', { layout: 'enum8', written: ['1', '2'] }),
  same('EtherSessionTimeout', { layout: 'u32', written: ['+15000', '4E20'], ...bare }),
  same('compactTelegramType1Content', { layout: 'bool bool', written: ['1 0', '0 1'], ...bare }),
  same('rosParentFrameId', text),
  same('rosFrameId', text),
  same('rosNamespace', text),
  same('rosDomainId', { layout: 'u8', written: ['1', '0'], ...bare }),
  same('TSCRole', { layout: 'u8', written: ['3', '0'] }),
  same('TSCTCSrvAddr', { layout: '4*(u8)', written: ['C0 A8 0 B', '+10 +0 +0 +1'] }),
  same('TSCTCtimezone', { layout: 'enum8', written: ['+36', '0'] }),
  same('TSCTCupdatetime', { layout: 'u32', written: ['+600', 'E10'] }),
  same('LFPparticle', { layout: 'bool u16', written: ['1 +500', '0 1F4'] }),
  same('FREchoFilter', { layout: 'enum8', written: ['1', '2'] }),
  same('MCSenseLevel', { layout: 'u8', written: ['1', '0'] }),
  same('LFPcubicareafilter', {
    layout: 'bool i32 i32 i32 i32 i32 i32',
    written: ['0 FFFFB1E0 4E20 FFFFB1E0 4E20 FFFFB1E0 4E20', '0 -1000 +2000 -3000 +4000 FFFFB1E0 4E20'],
  }),
  same('EnableLongRangeMode', truth),
  same('LFPangleRangeFilter', {
    layout: angles,
    written: ['1 -900000 +900000 -900000 +900000 1', '0 FFEAF160 150EA0 FFF24460 DBBA0 2'],
  }),
  same('LFPintervalFilter', { layout: 'bool u32', written: ['1 3', '0 +2'] }),
  same('LFPmovingAveragingFilter', { layout: 'bool u16', written: ['+0 +3', '1 2'] }),
  same('LFPradialDistanceRangeFilter', { layout: 'bool i32 i32', written: ['0 0 30D40', '1 +100 +5000'] }),
  renamed('LICencset', 'EncSetting', { layout: 'enum8', written: ['1', '0'] }),
  renamed('LICencres', 'EncResolution', { layout: 'real', written: ['+1000', '3FC00000'] }),
  renamed('LICpos1enable', 'ActualEncPosition1Enable', truth),
  renamed('LICpos2enable', 'ActualEncPosition2Enable', truth),
  renamed('LIDportstate', 'PortState', {
    layout: `u16 u32 [enum8 u32] [enum8 u32] [${time}]`,
    varying: timed,
  }),
  same('PortConfiguration', { layout: `8*(${portLayout})` }),
  renamed('LIDinputstate', 'InputState', {
    layout: `u16 u32 8*(enum8) [${time}]`,
    varying: timed,
  }),
  renamed('LIDoutputstate', 'OutputState', {
    layout: `u16 u32 8*(enum8 u32) [${time}]`,
    varying: timed,
    event: 'switched',
  }),
  same('DeviceIdent', { layout: 'string string' }),
  same('FirmwareVersion', { layout: 'string' }),
  renamed('DevSta', 'DeviceStatus', { layout: 'enum8', event: 'bare' }),
  same('SCdevicestate', { layout: 'enum8', event: 'bare' }),
  renamed('OrdNum', 'OrderNumber', { layout: 'string', pattern: '^7 \\d{7}$' }),
  same('SerialNumber', { layout: 'string' }),
  renamed('DItype', 'DeviceType', { layout: 'string' }),
  renamed('ODoprh', 'OpHours', { layout: 'u32' }),
  renamed('ODopdaily', 'DailyOpHours', { layout: 'real' }),
  renamed('ODpwrc', 'PowerOnCnt', { layout: 'u32' }),
  renamed('OPcurtmpdev', 'CurrentTempDev', { layout: 'real' }),
  same('LocationName', { layout: 'string', written: ['+9 LongRange', 'A At_Gate_03'] }),
  renamed('DIpara', 'LastParaDate', { layout: 'string', pattern: '^A \\d\\d\\.\\d\\d\\.\\d{4}$' }),
  renamed('DIparatm', 'LastParaTime', { layout: 'string', pattern: '^5 \\d\\d:\\d\\d$' }),
  same('temperatureAlarmStatus', { layout: 'bool' }),
  same('temperatureAlarmConfiguration', { layout: 'i8 i8', written: ['37 32', '+60 +40'] }),
  renamed('EIIpAddr', 'EtherIPAddress', address),
  renamed('EIIpAddrDHCP', 'EtherIPAddressDHCP', { layout: '4*(u8)' }),
  renamed('EIAddrMode', 'EtherAddressingMode', { layout: 'enum8', written: ['1', '0'] }),
  renamed('EIDHCPFallback', 'EtherDHCPFallback', { layout: 'enum8', written: ['1', '0'] }),
  renamed('EIgate', 'EtherIPGateAddress', address),
  renamed('EIgateDHCP', 'EtherIPGateAddressDHCP', { layout: '4*(u8)' }),
  renamed('EImask', 'EtherIPMask', { layout: '4*(u8)', written: ['FF FF FE 0', '+255 +255 +255 +0'] }),
  renamed('EImaskDHCP', 'EtherIPMaskDHCP', { layout: '4*(u8)' }),
  renamed('EIMacAdr', 'EtherMACAddress', { layout: '6*(u8)' }),
  renamed('EtherCoLaScanMode', 'EtherLegacyScanMode', { layout: 'u8', written: ['2', '3'] }),
  renamed('EIAuxEnable', 'EtherAuxEnabled', { layout: 'bool', written: ['0', '1'] }),
  same('LEDEnable', truth),
  same('LEDState', { layout: '[enum8 enum8 text8]', pattern: '^2 ' }),
  renamed('EIAuxPort', 'EtherAuxIPPort', { layout: 'u16', written: ['+12111', '2F51'], ...bare }),
  renamed('EIHstPort', 'EtherHostIPPort', { layout: 'u16', written: ['+12112', '2F52'], ...bare }),
  same('enableCloningPlug', { ...truth, ...bare }),
  same('EvaluationGroupType', { layout: '48*(enum8)' }),
  same('FieldEvaluationResult', {
    layout: 'u16 u64 48*(enum8 [])',
    unsent: ['Positions'],
    event: 'switched',
  }),
  same('perpendicularDistanceResult', {
    layout: 'u64 [u16 i32 i32 i32 i32 i32 i32 i32 i32]',
    event: 'switched',
  }),
  same('EnableDetectionHistory', { ...truth, ...bare }),
];
