import { ethernet, legacyProtocols } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { DeviceSearch } from '../../src/device-search/index.js';
import {
  change,
  id,
  mac,
  responseHex,
  search,
  searched,
  telegrams,
  wish,
  xmlChange,
} from './search-test-device.js';

const { EtherIPAddress, EtherIPMask, EtherIPGateAddress, EtherAddressingMode } = ethernet.members;
const { EtherAuxEnabled } = legacyProtocols.members;

const usual = [
  ['IPMask', '255.255.0.0'],
  ['DHCPClientEnabled', 'FALSE'],
  ['IPGateway', '10.0.0.1'],
  ['IPAddress', '10.0.3.4'],
] as const;

describe('another address', () => {
  test('is working and stored when it is confirmed, and in force once that is out', async () => {
    const { search: deviceSearch, device } = await searched();
    const { datagrams, afterwards } = await deviceSearch.respond(change());
    expect(datagrams.map((response) => Buffer.from(response).toString('hex'))).toEqual([
      `91000001${mac}${id}000000`,
    ]);
    expect(device.read(EtherIPAddress)).toEqual([192, 168, 0, 7]);
    expect(device.parameters.stored(EtherIPAddress)).toEqual([192, 168, 0, 7]);
    expect(device.parameters.stored(EtherIPGateAddress)).toEqual([192, 168, 0, 254]);
    expect(device.features.network.active.read(EtherIPAddress)).toEqual([192, 168, 0, 1]);
    afterwards?.();
    expect(device.features.network.active.read(EtherIPAddress)).toEqual([192, 168, 0, 7]);
    expect(device.features.network.active.read(EtherIPGateAddress)).toEqual([192, 168, 0, 254]);
  });

  test('survives a power cut', async () => {
    const { search: deviceSearch, testDevice } = await searched();
    await responseHex(deviceSearch, change());
    const after = await testDevice.afterPowerCut();
    expect(after.device.features.network.reachable).toMatchObject({
      address: [192, 168, 0, 7],
      source: 'static',
    });
  });

  test('is announced', async () => {
    const { search: deviceSearch, device } = await searched();
    const announced: string[] = [];
    device.announcements.subscribe((changed) => announced.push(...changed.map(({ name }) => name)));
    await responseHex(deviceSearch, change());
    expect(announced).toEqual(expect.arrayContaining(['EtherIPAddress', 'EtherIPGateAddress']));
    expect(announced).not.toContain('EtherIPMask');
  });

  test('takes nothing else with it: what is written stays written, not stored, not in force', async () => {
    const { search: deviceSearch, device } = await searched();
    device.parameters.change((next) => next.set(EtherAuxEnabled, false));
    await responseHex(deviceSearch, change());
    expect(device.read(EtherAuxEnabled)).toBe(false);
    expect(device.parameters.stored(EtherAuxEnabled)).toBe(true);
    expect(device.features.network.active.read(EtherAuxEnabled)).toBe(true);
  });

  test.each([
    ['the mask, for a wish of another address', xmlChange(wish(['IPAddress', '192.168.0.7']))],
    ['the mask, for a wish of DHCP', change('00000000 00000000 00000000 01')],
  ])('puts nothing into force that somebody else has written: %s', async (_, datagram) => {
    const { search: deviceSearch, device } = await searched();
    device.parameters.change((next) => next.set(EtherIPMask, [255, 255, 0, 0]));
    expect(await telegrams(deviceSearch, datagram)).toEqual(['91']);
    expect(device.features.network.active.read(EtherIPMask)).toEqual([255, 255, 255, 0]);
    expect(device.parameters.stored(EtherIPMask)).toEqual([255, 255, 255, 0]);
    expect(device.read(EtherIPMask)).toEqual([255, 255, 0, 0]);
  });

  test('that it has already is confirmed, and neither stored nor announced again', async () => {
    const { search: deviceSearch, testDevice, device } = await searched();
    await responseHex(deviceSearch, change());
    const lines = testDevice.log.lines.length;
    const activations: unknown[] = [];
    device.features.network.onActivated((reachable) => activations.push(reachable));
    expect(await telegrams(deviceSearch, change())).toEqual(['91']);
    expect(device.features.saving.saves.of('stored')).toBe(1);
    expect(testDevice.log.lines).toHaveLength(lines);
    expect(activations).toEqual([]);
  });

  test('that is written and stored, and not in force, comes into force', async () => {
    const { search: deviceSearch, device } = await searched();
    const { afterwards } = await deviceSearch.respond(change());
    expect(await telegrams(deviceSearch, change())).toEqual(['91']);
    expect(device.features.network.active.read(EtherIPAddress)).toEqual([192, 168, 0, 7]);
    expect(afterwards).toBeDefined();
  });

  test('is not accepted while another one is being stored', async () => {
    const { search: deviceSearch, device } = await searched();
    const responses = await Promise.all([
      deviceSearch.respond(change()),
      deviceSearch.respond(change('c0a80008 ffffff00 00000000 00')),
    ]);
    expect(responses.map(({ datagrams }) => datagrams.length)).toEqual([1, 0]);
    expect(device.parameters.stored(EtherIPAddress)).toEqual([192, 168, 0, 7]);
  });

  test.each([
    ['in a network of two addresses', 'c0a80000 fffffffe c0a80001 00'],
    ['in a network of one', 'c0a800ff ffffffff 00000000 00'],
    ['whose last byte is 0, in the middle of its network', 'c0a80100 ffff0000 00000000 00'],
  ])('may be one %s', async (_, body) => {
    const { search: deviceSearch } = await searched();
    expect(await telegrams(deviceSearch, change(body))).toEqual(['91']);
  });

  test('may come in XML, and is confirmed in XML', async () => {
    const { search: deviceSearch, device } = await searched();
    const [response = ''] = await responseHex(deviceSearch, xmlChange(wish(...usual)));
    const text = Buffer.from(response, 'hex');
    expect(text.subarray(0, 2).toString('hex')).toBe('9100');
    expect(text.readUInt16BE(2)).toBe(text.length - 16);
    expect(text.subarray(4, 16).toString('hex')).toBe(`${mac}${id}0000`);
    expect(text.subarray(16).toString()).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><IPconfigAck MACAddr="00:06:77:ef:79:7c">' +
        '<Item key="ErrorCode" value="0"/><Item key="Status" value="Success"/>' +
        '<Item key="IPConfigDuration" value="1000"/></IPconfigAck>',
    );
    expect(device.features.network.reachable).toEqual({
      address: [10, 0, 3, 4],
      mask: [255, 255, 0, 0],
      gateway: [10, 0, 0, 1],
      source: 'static',
    });
  });

  test.each([
    ['elements that are closed by an end', wish(...usual).replaceAll('"/>', '"></Item>')],
    [
      'single quotes, blanks and a capital MAC address',
      wish(...usual)
        .replaceAll('"', "'")
        .replaceAll('/>', ' />')
        .replace('ef:79:7c', 'EF:79:7C'),
    ],
    ['no declaration', wish(...usual).replace(/^.*\n/, '')],
    ['zeros behind the end', `${wish(...usual)}\0\0`],
  ])('may come with %s', async (_, xml) => {
    const { search: deviceSearch, device } = await searched();
    expect(await telegrams(deviceSearch, xmlChange(xml))).toEqual(['91']);
    expect(device.read(EtherIPAddress)).toEqual([10, 0, 3, 4]);
  });

  test('does not change what the XML leaves out', async () => {
    const { search: deviceSearch, device } = await searched();
    expect(await telegrams(deviceSearch, xmlChange(wish(['IPAddress', '10.0.3.4'])))).toEqual(['91']);
    expect([EtherIPAddress, EtherIPMask].map((variable) => device.read(variable))).toEqual([
      [10, 0, 3, 4],
      [255, 255, 255, 0],
    ]);
  });

  test('may be that of DHCP; the static one stays for when there is none', async () => {
    const { search: deviceSearch, device } = await searched();
    expect(await telegrams(deviceSearch, change('00000000 00000000 00000000 01'))).toEqual(['91']);
    expect(device.features.network.active.read(EtherAddressingMode)).toBe(1);
    expect(device.read(EtherIPAddress)).toEqual([192, 168, 0, 1]);
    expect(device.read(EtherIPMask)).toEqual([255, 255, 255, 0]);
  });
});

describe('nothing is set, and nothing said, where', () => {
  test.each([
    ['the request is for another scanner', change(undefined, '000677ef797d')],
    ['it is for all of them', change(undefined, 'ffffffffffff')],
    ['the XML is for another scanner', xmlChange(wish(...usual).replace('7c"', '7d"'))],
    ['the address is one that no device has', change('e0000001 ffffff00 00000000 00')],
    ['the address is 0.0.0.0', change('00000000 ffffff00 00000000 00')],
    ['the mask has a hole', change('c0a80007 ff00ff00 00000000 00')],
    ['there is no mask', change('c0a80007 00000000 00000000 00')],
    ['the address is that of its network', change('c0a80000 ffffff00 00000000 00')],
    ['the address is that of all in its network', change('c0a800ff ffffff00 00000000 00')],
    ['it is that of its network by the mask that stays', xmlChange(wish(['IPAddress', '10.0.3.0']))],
    ['the gateway is for all', change('c0a80007 ffffff00 ffffffff 00')],
    ['the gateway is for many', change('c0a80007 ffffff00 e0000001 00')],
    ['the gateway is in another network', change('c0a80007 ffffff00 c0a801fe 00')],
    ['the gateway is the network', change('c0a80007 ffffff00 c0a80000 00')],
    ['the gateway is all in the network', change('c0a80007 ffffff00 c0a800ff 00')],
    ['numbers of the address begin with zeros', xmlChange(wish(['IPAddress', '010.001.002.003']))],
    ['DHCP is neither on nor off', change('c0a80007 ffffff00 00000000 02')],
    ['a byte is missing', change('c0a80007 ffffff00 000000 00')],
    ['a number of the address is too large', xmlChange(wish(['IPAddress', '10.0.3.256']))],
    ['the address has letters', xmlChange(wish(['IPAddress', 'scanner.local']))],
    ['DHCP is a word', xmlChange(wish(['DHCPClientEnabled', 'maybe']))],
    ['no item is known', xmlChange(wish(['Password', 'x']))],
    ['an item comes twice', xmlChange(wish(['IPAddress', '10.0.3.4'], ['IPAddress', '10.0.3.5']))],
    [
      'there is an entity',
      xmlChange(
        wish(['IPAddress', '10.0.3.4']).replace('<IPconfig', '<!DOCTYPE x [<!ENTITY a "b">]><IPconfig'),
      ),
    ],
    ['there is a comment', xmlChange(wish(['IPAddress', '10.0.3.4']).replace('<Item', '<!-- --><Item'))],
    ['the XML is cut off', xmlChange(wish(...usual).slice(0, -3))],
  ])('%s', async (_, datagram) => {
    const { search: deviceSearch, device } = await searched();
    const layers = () => [device.parameters.layer('working'), device.parameters.layer('stored')];
    const before = layers();
    expect(await responseHex(deviceSearch, datagram)).toEqual([]);
    expect(layers()).toEqual(before);
  });

  test('it cannot be stored; the log says why', async () => {
    const { search: deviceSearch, testDevice, device } = await searched();
    testDevice.storage.fail('parameters.json');
    expect(await responseHex(deviceSearch, change())).toEqual([]);
    expect(device.read(EtherIPAddress)).toEqual([192, 168, 0, 1]);
    expect(testDevice.log.lines.at(-1)?.facts.reason).toContain('parameters');
  });

  test('the gateway that stays would be in another network', async () => {
    const { search: deviceSearch, device } = await searched();
    await responseHex(deviceSearch, change());
    expect(await responseHex(deviceSearch, xmlChange(wish(['IPAddress', '10.0.3.4'])))).toEqual([]);
    expect(device.read(EtherIPAddress)).toEqual([192, 168, 0, 7]);
  });

  test.each([
    ['an address outside', change(), ['192.168.0.7 is outside 127.x']],
    ['DHCP', change('00000000 00000000 00000000 01'), ['DHCP']],
    ['DHCP, with an address of loopback', change('7f000007 ff000000 00000000 01'), ['DHCP']],
    ['an address of loopback', change('7f000007 ff000000 00000000 00'), []],
  ])('the scanner is for loopback alone: %s', async (_, datagram, reasons) => {
    const { testDevice, device } = await searched();
    const deviceSearch = new DeviceSearch(device, () => ({}), { loopbackOnly: true });
    expect(await telegrams(deviceSearch, datagram)).toEqual(reasons.length === 0 ? ['91'] : []);
    const warnings = testDevice.log.lines.filter(({ severity }) => severity === 'warn');
    expect(warnings.map(({ facts }) => facts.reason)).toEqual(
      reasons.map((reason) => expect.stringContaining(reason)),
    );
  });

  test('the mode forbids it; the log says so once', async () => {
    const { search: deviceSearch, testDevice } = await searched('IP_CONFIG_DISABLED');
    for (let i = 0; i < 5; i++) await responseHex(deviceSearch, change());
    const warnings = testDevice.log.lines.filter(({ severity }) => severity === 'warn');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.facts.reason).toContain('EtherLegacyScanMode');
  });
});

describe('what is not a request', () => {
  const datagrams = [search(), change(), xmlChange(wish(...usual))];

  test('gets no response, wherever it is cut off', async () => {
    const { search: deviceSearch } = await searched();
    for (const datagram of datagrams) {
      for (let length = 0; length < datagram.length; length++) {
        expect(await responseHex(deviceSearch, datagram.subarray(0, length)), `${length}`).toEqual([]);
      }
    }
  });

  test.each([
    ['is longer than it says', Buffer.concat([search(), Buffer.of(0)])],
    ['says another length', Buffer.from(search().toString('hex').replace('10000008', '10000009'), 'hex')],
    ['has no mark', Buffer.from(search().toString('hex').replace(`${id}01`, `${id}00`), 'hex')],
    ['is an answer', Buffer.from(search().toString('hex').replace(/^10/, '90'), 'hex')],
    ['is very large', Buffer.concat([xmlChange(wish(...usual)), Buffer.alloc(60_000, ' ')])],
  ])('gets none where it %s', async (_, datagram) => {
    const { search: deviceSearch } = await searched();
    expect(await responseHex(deviceSearch, datagram)).toEqual([]);
  });

  test('does no harm, however its bytes are turned', async () => {
    const { search: deviceSearch, device } = await searched('IP_CONFIG_DISABLED');
    let state = 1;
    const random = (sides: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % sides;
    };
    for (let round = 0; round < 3000; round++) {
      const datagram = Buffer.from(datagrams[random(datagrams.length)] ?? Buffer.alloc(0));
      for (let turns = random(6); turns >= 0; turns--) datagram[random(datagram.length)] = random(256);
      await responseHex(deviceSearch, datagram);
    }
    expect(device.read(EtherIPAddress)).toEqual([192, 168, 0, 1]);
    expect(await telegrams(deviceSearch, search())).toEqual(['95', '90']);
  });

  test('is thrown away quickly, also where it was made to be slow', async () => {
    const { search: deviceSearch } = await searched();
    const slow = [
      `<IPconfig ${' '.repeat(2000)}`,
      `<IPconfig MACAddr="x">${'</IPconfig '.repeat(150)}`,
      `<IPconfig a="b">${'<Item '.repeat(300)}</IPconfig>`,
      `<IPconfig a="b"><Item ${' '.repeat(1900)}</IPconfig>`,
    ];
    for (const xml of slow) expect(await responseHex(deviceSearch, xmlChange(xml))).toEqual([]);
  });
});
