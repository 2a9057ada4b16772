import { device as deviceGroup, ethernet } from '@azimuth/model';
import { TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';
import { DeviceSearch } from '../../src/device-search/index.js';
import { bytes, id, mac, responseHex, search, searched } from './search-test-device.js';

const ascii = (text: string) => Buffer.from(text).toString('hex');

/** Header, then the body by its parts; lengths counted by hand. */
const tagged = bytes(
  '95 00 00af',
  mac,
  id,
  '0000',
  '0001',
  '0008 7069636f5363616e', // picoScan
  '0002 0004 0004 00000000 52', // 2.4.4, build 0, R
  '03', // normal operation
  '0000',
  '000b 6e6f7420646566696e6564', // not defined
  '0000 0000',
  '0008 3132333435363738',
  '000b 7069636f5363616e317878', // picoScan1xx
  '0008 322e342e342e3052', // 2.4.4.0R
  '0007 31313334363130',
  '00',
  '0000 0000',
  '0006',
  '454d4143 0006 000677ef797c',
  '45495061 0004 c0a80001',
  '454e4d61 0004 ffffff00',
  '45444761 0004 00000000',
  '45446863 0001 00',
  '45434475 0004 00000001',
  '0002',
  '01 0001 44504e6f 0002 0840', // 2112
  '01 0001 44504e6f 0002 083f', // 2111
).toString('hex');

const xml =
  '<?xml version="1.0" encoding="UTF-8"?><NetScanResult MACAddr="00:06:77:ef:79:7c">' +
  '<Item key="IPAddress" value="192.168.0.1" readonly="FALSE"/>' +
  '<Item key="IPMask" value="255.255.255.0" readonly="FALSE"/>' +
  '<Item key="IPGateway" value="0.0.0.0" readonly="FALSE"/>' +
  '<Item key="HostPortNo" value="2112" readonly="TRUE"/>' +
  '<Item key="AuxPortNo" value="2111" readonly="TRUE"/>' +
  '<Item key="DeviceType" value="picoScan1xx 2.4.4.0R" readonly="TRUE"/>' +
  '<Item key="FirmwareVersion" value="2.4.4.0R" readonly="TRUE"/>' +
  '<Item key="SerialNumber" value="12345678" readonly="TRUE"/>' +
  '<Item key="OrderNumber" value="1134610" readonly="TRUE"/>' +
  '<Item key="IPConfigDuration" value="1000" readonly="TRUE"/>' +
  '<Item key="LocationName" value="not defined" readonly="TRUE"/>' +
  '<Item key="HasDHCPClient" value="TRUE" readonly="TRUE"/>' +
  '<Item key="DHCPClientEnabled" value="FALSE" readonly="FALSE"/>' +
  '<Item key="IsBeepSupported" value="FALSE" readonly="TRUE"/>' +
  '</NetScanResult>';

const xmlResponse = (body: string) =>
  `9000${Buffer.byteLength(body).toString(16).padStart(4, '0')}${mac}${id}0000${ascii(body)}`;

describe('a search', () => {
  test('gets a response in both forms, the newer one first', async () => {
    const { search: deviceSearch } = await searched();
    expect(await responseHex(deviceSearch, search())).toEqual([tagged, xmlResponse(xml)]);
  });

  test('in the form of older tools gets a response in XML alone', async () => {
    const { search: deviceSearch } = await searched();
    expect(await responseHex(deviceSearch, search('02'))).toEqual([xmlResponse(xml)]);
  });

  test('may be for this scanner alone, or for another one', async () => {
    const { search: deviceSearch } = await searched();
    expect(await responseHex(deviceSearch, search('02', mac))).toHaveLength(1);
    expect(await responseHex(deviceSearch, search('02', '000677ef797d'))).toEqual([]);
  });

  test('fits into what the smallest tool reads at once, 1024 bytes', async () => {
    const { search: deviceSearch } = await searched();
    for (const answer of await responseHex(deviceSearch, search()))
      expect(answer.length / 2).toBeLessThanOrEqual(1024);
  });

  test('has the ports that listen, and the address of HTTP', async () => {
    const { device } = await TestDevice.open();
    const deviceSearch = new DeviceSearch(device, () => ({ http: 8080, legacyA: 3111, legacyB: null }));
    const [newer = '', older = ''] = await responseHex(deviceSearch, search());
    expect(newer).toContain(`${ascii('XHtp')}00021f90`);
    expect(newer).toContain(`00020100${'01'}44504e6f00020840010001${'44504e6f'}00020c27`);
    const text = Buffer.from(older, 'hex').toString();
    expect(text).toContain('<Item key="HTTPPortNo" value="8080" readonly="TRUE"/>');
    expect(text).toContain('<Item key="AuxPortNo" value="3111" readonly="TRUE"/>');
  });

  test('shows that there is no web server, and which of several scanners with the same serial number it is', async () => {
    const { device } = await TestDevice.open();
    const deviceSearch = new DeviceSearch(device, () => ({ http: null, instance: '0badf00d' }));
    const [newer = '', older = ''] = await responseHex(deviceSearch, search());
    // Six settings, and two of our own.
    expect(newer).toContain(`0008${ascii('EMAC')}`);
    expect(newer).toContain(`${ascii('XHtp')}00020000${ascii('XIns')}00040badf00d`);
    const text = Buffer.from(older, 'hex').toString();
    expect(text).toContain('<Item key="HTTPPortNo" value="0" readonly="TRUE"/>');
    expect(text).toContain('<Item key="Instance" value="0badf00d" readonly="TRUE"/>');
  });

  test('has the settings in force, not those that are only written', async () => {
    const { search: deviceSearch, device } = await searched();
    device.parameters.change((next) => next.set(ethernet.members.EtherIPAddress, [10, 1, 2, 3]));
    expect((await responseHex(deviceSearch, search()))[0]).toBe(tagged);
    device.features.network.activate();
    expect((await responseHex(deviceSearch, search()))[0]).toBe(tagged.replace('c0a80001', '0a010203'));
  });

  test('has the lease, and no address if there is none', async () => {
    const { search: deviceSearch, device, testDevice } = await searched();
    const { EtherAddressingMode, EtherDHCPFallback } = ethernet.members;
    device.parameters.change((next) => next.set(EtherAddressingMode, 1).set(EtherDHCPFallback, 1));
    device.features.network.activate();
    expect((await responseHex(deviceSearch, search()))[0]).toContain('4549506100040000000045');
    testDevice.takeLease({
      address: [10, 0, 0, 42],
      mask: [255, 255, 0, 0],
      gateway: [10, 0, 0, 1],
    });
    expect((await responseHex(deviceSearch, search()))[0]).toBe(
      tagged
        .replace('c0a80001', '0a00002a')
        .replace('0004ffffff00', '0004ffff0000')
        .replace('45444761000400000000', '4544476100040a000001')
        .replace('45446863000100', '45446863000101'),
    );
  });

  test('writes what people have written so that it stays text', async () => {
    const { search: deviceSearch, device } = await searched();
    device.parameters.change((next) => next.set(deviceGroup.members.LocationName, '<"Tor" & Söhne>'));
    const [newer = '', older = ''] = await responseHex(deviceSearch, search());
    expect(newer).toContain(`0010${ascii('<"Tor" & Söhne>')}`);
    expect(Buffer.from(older, 'hex').toString()).toContain('value="&lt;&quot;Tor&quot; &amp; Söhne&gt;"');
  });
});
