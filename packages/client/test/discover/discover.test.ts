import { describe, expect, test } from 'vitest';
import { DiscoverError, discover, setAddress } from '../../src/discover/index.js';
import { answer, FakeScanner } from './fake-scanner.js';

const addresses = ['127.0.0.1'];
const quickly = { addresses, timeout: 300, dnsSd: false };

const item = (key: string, value: string, readonly = 'TRUE') =>
  `<Item key="${key}" value="${value}" readonly="${readonly}"></Item>`;
/** A response in the form of an older device of another family. */
const older = Buffer.from(
  `<?xml version="1.0" encoding="UTF-8"?><NetScanResult MACAddr="00:06:77:22:48:83">${[
    item('IPAddress', '192.168.0.51', 'FALSE'),
    item('IPMask', '255.255.255.0', 'FALSE'),
    item('IPGateway', '0.0.0.0', 'FALSE'),
    item('HostPortNo', '2112'),
    item('DeviceType', 'TiM5xx V2.54'),
    item('SerialNumber', '16300542'),
    item('OrderNumber', '1060445'),
    item('LocationName', 'Tor &lt;3&gt; &amp; &quot;Halle&quot;'),
    item('DHCPClientEnabled', 'TRUE', 'FALSE'),
  ].join('')}</NetScanResult>`,
);

const newer = Buffer.from(
  [
    '0001',
    '000a 7363616e6e6572207800', // a name
    '0001 0002 0003 00000004 52 03 0000',
    '0006 4761746520 33', // Gate 3
    '0000 0000',
    '0004 37373737', // 7777
    '0002 7478', // tx
    '0005 312e322e33', // 1.2.3
    '0003 313233',
    '00',
    '0001 41757456 0002 3121', // AutV
    '0001 0007 0002 6c6f',
    '0006',
    '45495061 0004 0a000007',
    '7a7a7a7a 0003 010203', // a tag that nobody knows
    '454e4d61 0004 ffff0000',
    '45444761 0004 0a000001',
    '45446863 0001 01',
    '454d4143 0006 000677aabbcc',
    '0000',
  ]
    .join('')
    .replaceAll(' ', ''),
  'hex',
);

describe('discover', () => {
  test('sends a request of 24 bytes three times', async () => {
    const scanner = await FakeScanner.open(() => []);
    expect(await discover({ ...quickly, port: scanner.port })).toEqual([]);
    expect(scanner.requests.map((request) => request.toString('hex'))).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^10000008f{12}[0-9a-f]{8}01000{16}$/)),
    );
    expect(new Set(scanner.requests.map((request) => request.toString('hex'))).size).toBe(1);
  });

  test('reads the older form', async () => {
    const scanner = await FakeScanner.open((request) => [answer(request, '90', '000677224883', older)]);
    expect(await discover({ ...quickly, port: scanner.port })).toEqual([
      {
        mac: '00:06:77:22:48:83',
        address: '127.0.0.1',
        url: 'http://127.0.0.1',
        form: 'xml',
        configuration: { address: '192.168.0.51', mask: '255.255.255.0', gateway: '0.0.0.0', dhcp: true },
        settable: true,
        type: 'TiM5xx',
        firmware: 'V2.54',
        serialNumber: '16300542',
        orderNumber: '1060445',
        location: 'Tor <3> & "Halle"',
      },
    ]);
  });

  test('reads the newer form', async () => {
    const scanner = await FakeScanner.open((request) => [answer(request, '95', '000677aabbcc', newer)]);
    expect(await discover({ ...quickly, port: scanner.port })).toEqual([
      {
        mac: '00:06:77:aa:bb:cc',
        address: '127.0.0.1',
        url: 'http://127.0.0.1',
        form: 'tagged',
        configuration: { address: '10.0.0.7', mask: '255.255.0.0', gateway: '10.0.0.1', dhcp: true },
        type: 'tx',
        firmware: '1.2.3',
        serialNumber: '7777',
        orderNumber: '123',
        location: 'Gate 3',
      },
    ]);
  });

  test('reports each scanner once', async () => {
    const one = await FakeScanner.open((request) => [
      answer(request, '95', '000677aabbcc', newer),
      answer(request, '90', '000677224883', older),
      answer(request, '95', '000677aabbcc', newer),
    ]);
    const found = await discover({ ...quickly, port: one.port });
    expect(found.map(({ mac }) => mac)).toEqual(['00:06:77:22:48:83', '00:06:77:aa:bb:cc']);
  });

  test('keeps the facts of the first answer and adds those of later ones', async () => {
    const both = Buffer.from(
      `<NetScanResult MACAddr="00:06:77:aa:bb:cc">${item('IPAddress', '10.9.9.9', 'FALSE')}${item('LocationName', 'elsewhere')}</NetScanResult>`,
    );
    const scanner = await FakeScanner.open((request) => [
      answer(request, '95', '000677aabbcc', newer),
      answer(request, '90', '000677aabbcc', both),
    ]);
    expect(await discover({ ...quickly, port: scanner.port })).toMatchObject([
      { form: 'tagged', location: 'Gate 3', settable: true, configuration: { address: '10.0.0.7' } },
    ]);
  });

  test('distinguishes scanners of one MAC address by the addresses of their web servers', async () => {
    const at = (...items: readonly string[]) =>
      Buffer.from(`<NetScanResult MACAddr="00:06:77:22:48:83">${items.join('')}</NetScanResult>`);
    const scanner = await FakeScanner.open((request) =>
      [at(item('HTTPPortNo', '8081')), at(item('HTTPPortNo', '8080')), at(item('HTTPPortNo', '8081'))].map(
        (body) => answer(request, '90', '000677224883', body),
      ),
    );
    await FakeScanner.open(
      (request) => [answer(request, '90', '000677224883', at(item('HTTPPortNo', '8080')))],
      '127.0.0.2',
      scanner.port,
    );
    const both = await discover({ ...quickly, addresses: ['127.0.0.1', '127.0.0.2'], port: scanner.port });
    expect(both.map(({ url }) => url)).toEqual([
      'http://127.0.0.1:8080',
      'http://127.0.0.1:8081',
      'http://127.0.0.2:8080',
    ]);
  });

  test('recognises a scanner that answers from two addresses by its instance', async () => {
    const body = (instance: string) =>
      Buffer.from(
        `<NetScanResult MACAddr="00:06:77:22:48:83">${item('HTTPPortNo', '8080')}${item('Instance', instance)}</NetScanResult>`,
      );
    const one = await FakeScanner.open((request) => [
      answer(request, '90', '000677224883', body('00000001')),
      answer(request, '90', '000677224883', body('00000002')),
    ]);
    await FakeScanner.open(
      (request) => [answer(request, '90', '000677224883', body('00000001'))],
      '127.0.0.2',
      one.port,
    );
    const found = await discover({ ...quickly, addresses: ['127.0.0.1', '127.0.0.2'], port: one.port });
    expect(found.map(({ instance }) => instance).sort()).toEqual(['00000001', '00000002']);
  });

  test('has no URL for a scanner without a web server', async () => {
    const scanner = await FakeScanner.open((request) => [
      answer(
        request,
        '90',
        '000677224883',
        Buffer.from(`<NetScanResult MACAddr="00:06:77:22:48:83">${item('HTTPPortNo', '0')}</NetScanResult>`),
      ),
    ]);
    const [found] = await discover({ ...quickly, port: scanner.port });
    expect(found).toMatchObject({ mac: '00:06:77:22:48:83' });
    expect(found).not.toHaveProperty('url');
  });

  test('ignores tags that are too short', async () => {
    const short = Buffer.from(
      newer
        .toString('hex')
        .replace('4549506100040a000007', '45495061000107')
        .replace('454e4d610004ffff0000', '454e4d610000')
        .replace('454468630001', '45446863000201'),
      'hex',
    );
    const scanner = await FakeScanner.open((request) => [answer(request, '95', '000677aabbcc', short)]);
    const [found] = await discover({ ...quickly, port: scanner.port });
    expect(found?.configuration).toEqual({ gateway: '10.0.0.1' });
  });

  test('ignores invalid and truncated answers', async () => {
    const scanner = await FakeScanner.open((request) => [
      Buffer.alloc(0),
      Buffer.from('hello'),
      answer(Buffer.alloc(24), '90', '000677224883', older),
      answer(request, '99', '000677224883', older),
      answer(request, '90', '000677224883', Buffer.from('<NetScanResult MACAddr="no">')),
      ...Array.from({ length: newer.length - 3 }, (_, length) =>
        answer(request, '95', '000677aabbcc', newer.subarray(0, Math.min(length, 100))),
      ),
    ]);
    expect(await discover({ ...quickly, port: scanner.port })).toEqual([]);
  });

  test('fails if no request can be sent', async () => {
    const asking = discover({ ...quickly, addresses: ['255.255.255.255.1'], port: 9 });
    await expect(asking).rejects.toThrow(DiscoverError);
  });

  test('ends with its signal', async () => {
    const abort = new AbortController();
    const scanner = await FakeScanner.open((request) => [answer(request, '90', '000677224883', older)]);
    const found = discover({ ...quickly, port: scanner.port, timeout: 1e6, signal: abort.signal });
    // The answer is in the socket's buffer by then, and is read there within a few rounds.
    while (scanner.requests.length === 0) await new Promise(setImmediate);
    for (let round = 0; round < 50; round++) await new Promise(setImmediate);
    abort.abort();
    expect((await found).map(({ mac }) => mac)).toEqual(['00:06:77:22:48:83']);
  });
});

describe('setAddress', () => {
  const mac = '00:06:77:aa:bb:cc';
  const wish = { address: '10.0.0.7', mask: '255.255.0.0', gateway: '10.0.0.1', dhcp: false };
  const done = (request: Buffer) => [answer(request, '91', '000677aabbcc', Buffer.of(0))];

  test('sends the newer form, and waits for its confirmation', async () => {
    const scanner = await FakeScanner.open(done);
    await setAddress(mac, wish, { addresses, port: scanner.port });
    expect(scanner.requests[0]?.toString('hex')).toMatch(
      /^1100000d000677aabbcc[0-9a-f]{8}01000a000007ffff00000a00000100$/,
    );
  });

  test('sends the older form', async () => {
    const scanner = await FakeScanner.open(done);
    await setAddress(
      '00-06-77-AA-BB-CC',
      { ...wish, dhcp: true },
      { addresses, port: scanner.port, form: 'xml' },
    );
    const [request = Buffer.alloc(0)] = scanner.requests;
    expect(request.subarray(0, 2).toString('hex')).toBe('1100');
    expect(request.readUInt16BE(2)).toBe(request.length - 16);
    expect(request.subarray(16).toString()).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><IPconfig MACAddr="00:06:77:aa:bb:cc">' +
        '<Item key="IPAddress" value="10.0.0.7"/><Item key="IPMask" value="255.255.0.0"/>' +
        '<Item key="IPGateway" value="10.0.0.1"/><Item key="DHCPClientEnabled" value="TRUE"/></IPconfig>',
    );
  });

  test('fails without a confirmation, or with that of another scanner', async () => {
    const scanner = await FakeScanner.open((request) => [
      answer(request, '91', '000677aabbcd', Buffer.of(0)),
      answer(request, '95', '000677aabbcc', newer),
    ]);
    const setting = setAddress(mac, wish, { addresses, port: scanner.port, timeout: 200 });
    await expect(setting).rejects.toThrow('00:06:77:aa:bb:cc did not confirm the new address');
  });

  test.each([
    ['a MAC address', 'x', wish],
    ['an address', mac, { ...wish, mask: '24' }],
  ])('refuses an invalid %s', async (_, whom, what) => {
    await expect(setAddress(whom, what, { addresses, port: 9 })).rejects.toThrow(TypeError);
  });
});
