import { configurationTime, type Presence } from './presence.js';

const declaration = '<?xml version="1.0" encoding="UTF-8"?>';

/** The answer in the older form, which many tools read and nothing else: items with a key and a value. */
export function xmlPresence(presence: Presence): string {
  const { address, mask, gateway, dhcp, settable, http, instance } = presence;
  const fixed = (key: string, value: string | number) => item(key, value, true);
  const open = (key: string, value: string) => item(key, value, !settable);
  const items = [
    open('IPAddress', address.join('.')),
    open('IPMask', mask.join('.')),
    open('IPGateway', gateway.join('.')),
    fixed('HostPortNo', presence.legacyB),
    fixed('AuxPortNo', presence.legacyA),
    // Of our own: a virtual scanner is seldom at port 80, and seldom alone with its serial number.
    http === undefined ? '' : fixed('HTTPPortNo', http),
    instance === undefined ? '' : fixed('Instance', instance),
    fixed('DeviceType', `${presence.deviceType} ${presence.firmwareVersion}`),
    fixed('FirmwareVersion', presence.firmwareVersion),
    fixed('SerialNumber', presence.serialNumber),
    fixed('OrderNumber', presence.orderNumber),
    fixed('IPConfigDuration', configurationTime),
    fixed('LocationName', presence.locationName),
    fixed('HasDHCPClient', 'TRUE'),
    open('DHCPClientEnabled', truth(dhcp)),
    fixed('IsBeepSupported', 'FALSE'),
  ];
  return `${declaration}<NetScanResult ${mac(presence.macAddress)}>${items.join('')}</NetScanResult>`;
}

/** Says in the older form that the address is set. */
export function xmlDone(macAddress: readonly number[]): string {
  const items = [
    item('ErrorCode', 0),
    item('Status', 'Success'),
    item('IPConfigDuration', configurationTime),
  ];
  return `${declaration}<IPconfigAck ${mac(macAddress)}>${items.join('')}</IPconfigAck>`;
}

function item(key: string, value: string | number, readonly?: boolean): string {
  const right = readonly === undefined ? '' : ` readonly="${truth(readonly)}"`;
  return `<Item key="${key}" value="${escaped(String(value))}"${right}/>`;
}

function mac(bytes: readonly number[]): string {
  return `MACAddr="${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(':')}"`;
}

function truth(value: boolean): string {
  return value ? 'TRUE' : 'FALSE';
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
