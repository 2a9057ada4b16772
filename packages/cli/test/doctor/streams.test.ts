import { describe, expect, test } from 'vitest';
import { finding, realOnly, seen, sent, verdict } from './seen.js';

const to = (address: string, more: object = {}) => ({
  values: {
    ScanDataEthSettings: { Protocol: 1, IPAddress: address.split('.').map(Number), Port: 2115, ...more },
  },
});

describe('a stream that is off', () => {
  test('is a problem for scan data, and can be switched on', () => {
    const { severity, fix } = finding('scan-on', seen({ values: { ScanDataEnable: false } }));
    expect(severity).toBe('problem');
    expect(fix?.acts).toEqual([{ write: 'ScanDataEnable', value: true }]);
  });

  test('is usual for IMU and encoder data', () => {
    expect(verdict('imu-on', seen())).toEqual({ fine: 'off' });
  });

  test('does not matter for LMDscandata', () => {
    expect(verdict('scan-on', seen({ values: { ScanDataEnable: false, ScanDataFormat: 3 } }))).toHaveProperty(
      'fine',
    );
  });

  test('is absent if the variant does not have it', () => {
    expect(verdict('imu-on', seen({ lacks: ['ImuDataEnable'] }))).toEqual({
      absent: 'this scanner has no IMU data',
    });
  });
});

describe('the destination', () => {
  test('of port 0 is a problem, and can be fixed', () => {
    const { text, fix } = finding('scan-destination', seen(to('192.168.0.50', { Port: 0 })));
    expect(text).toBe('scan data goes to port 0, so nothing is sent');
    expect(fix?.acts).toEqual([
      { write: 'ScanDataEthSettings', value: { Protocol: 1, IPAddress: [192, 168, 0, 50], Port: 2115 } },
    ]);
  });

  test.each([
    ['0.0.0.0', 'which is no address'],
    ['192.168.0.1', 'which is the address of the scanner itself'],
    ['127.0.0.1', 'which is the scanner itself, and not this computer'],
  ])('%s is one where nobody can receive', (address, why) => {
    const { severity, text, advice, fix } = finding('scan-destination', seen(to(address)));
    expect(severity).toBe('problem');
    expect(text).toContain(why);
    expect(advice).toBe('azimuth set ScanDataEthSettings IPAddress=192.168.0.50 --device @gate3');
    expect(fix?.acts).toEqual([
      { write: 'ScanDataEthSettings', value: to('192.168.0.50').values.ScanDataEthSettings },
    ]);
  });

  test('on another computer is worth a note, and is not taken from it', () => {
    expect(finding('scan-destination', seen(to('192.168.0.77')))).toEqual({
      severity: 'note',
      text: 'scan data goes to 192.168.0.77, port 2115, and not to this computer (192.168.0.50)',
      advice:
        'if it should come here: azimuth set ScanDataEthSettings IPAddress=192.168.0.50 --device @gate3',
    });
  });

  test.each([
    ['192.168.0.50', 'this computer, port 2115'],
    ['239.1.2.3', 'multicast group 239.1.2.3, port 2115'],
  ])('%s is fine', (address, fine) => {
    expect(verdict('scan-destination', seen(to(address)))).toEqual({ fine });
  });

  test('on loopback is this computer, for a scanner that runs on it', () => {
    const facts = { host: '127.0.0.1', own: '127.0.0.1' };
    expect(verdict('scan-destination', seen({ ...to('127.0.0.1'), facts }))).toHaveProperty('fine');
  });

  test('is of no meaning over TCP', () => {
    expect(verdict('scan-destination', seen(to('0.0.0.0', { Protocol: 2 })))).toEqual({
      fine: 'TCP: programs connect to port 2115 of the scanner',
    });
  });
});

describe('the route', () => {
  test('outside of the network needs a gateway', () => {
    const { text, fix } = finding('scan-route', seen(to('10.1.2.3')));
    expect(text).toBe(
      'scan data cannot leave: 10.1.2.3 is not in the network of the scanner (192.168.0.0/24), and the scanner has no gateway',
    );
    expect(fix).toBeDefined();
  });

  test('through a gateway outside of the network leads nowhere', () => {
    const values = { ...to('10.1.2.3').values, EtherIPGateAddress: [10, 0, 0, 1] };
    expect(finding('scan-route', seen({ values })).text).toContain(
      'its gateway 10.0.0.1 is not in it either',
    );
  });

  test('through a gateway is fine', () => {
    const values = { ...to('10.1.2.3').values, EtherIPGateAddress: [192, 168, 0, 254] };
    expect(verdict('scan-route', seen({ values }))).toEqual({ fine: 'through the gateway 192.168.0.254' });
  });

  test('does not matter on loopback', () => {
    expect(verdict('scan-route', seen(to('127.0.0.1')))).toHaveProperty('absent');
  });

  test('is not known for a scanner that was reached at another address than its own', () => {
    expect(verdict('scan-route', seen({ facts: { host: '127.0.0.1', own: '127.0.0.1' } }))).toEqual({
      unseen:
        'the scanner was reached at 127.0.0.1, and its own address is 192.168.0.1: it is a virtual one, or behind a router',
    });
  });
});

describe('sending', () => {
  const errors = (reason: string, count: number) =>
    `azimuth_telegram_errors_total{stream="scan",reason="${reason}"} ${count}`;

  test('that is refused is a problem', () => {
    const metrics = [
      `${sent(1)}\n${errors('refused', 7)}`,
      `${sent(151)}\n${errors('refused', 157)}`,
    ] as const;
    expect(finding('scan-sending', seen({ metrics })).text).toBe(
      'scan data to 192.168.0.50, port 2115 is refused: no program listens at that port',
    );
  });

  test('that was refused earlier is fine', () => {
    const metrics = [
      `${sent(1)}\n${errors('refused', 157)}`,
      `${sent(151)}\n${errors('refused', 157)}`,
    ] as const;
    expect(verdict('scan-sending', seen({ metrics }))).toEqual({ fine: '150 telegrams were sent' });
  });

  test('of a stream that is down is a problem, with the reason', () => {
    const down = `${sent(1)}\nazimuth_stream_down{stream="scan",reason="no_address"} 1`;
    expect(finding('scan-sending', seen({ metrics: [down, down] })).text).toContain('DHCP offers none');
  });

  test('of nothing is a warning', () => {
    expect(finding('scan-sending', seen({ metrics: [sent(5), sent(5)] })).text).toContain('nothing was sent');
  });

  test('is not told by a real scanner', () => {
    expect(verdict('scan-sending', realOnly())).toHaveProperty('unseen');
  });
});

describe('the arrival', () => {
  const arriving = (arrival: object, address = '192.168.0.50') =>
    seen({
      ...to(address),
      facts: {
        arrivals: new Map([['scan', { telegrams: 0, strangers: [], damaged: 0, seconds: 1, ...arrival }]]),
      },
    });

  test('of nothing points at the firewall', () => {
    const { severity, text, advice } = finding('scan-arrival', arriving({}));
    expect(severity).toBe('problem');
    expect(text).toBe('scan data should arrive at UDP port 2115, and none came in 1.0 s');
    expect(advice).toContain('sudo ufw allow 2115/udp');
  });

  test('at a port of another program is worth a note', () => {
    expect(finding('scan-arrival', arriving({ closed: 'EADDRINUSE' })).text).toBe(
      'another program on this computer has UDP port 2115: it gets the scan data',
    );
  });

  test('of the data of another scanner, too, is a warning', () => {
    expect(
      finding('scan-arrival', arriving({ telegrams: 9, strangers: ['192.168.0.9'] }, '239.1.2.3')).text,
    ).toContain('also gets data from 192.168.0.9');
  });

  test('of telegrams where no program listens is worth a note', () => {
    expect(finding('scan-arrival', seen())).toEqual({
      severity: 'note',
      text: 'scan data arrives at UDP port 2115 of this computer, and no program listens there now',
      advice: 'start yours, or look at it: azimuth scan --device @gate3',
    });
  });

  test('of telegrams that several programs can receive is fine', () => {
    const { values } = to('239.1.2.3');
    expect(verdict('scan-arrival', seen({ values }))).toEqual({
      fine: '150 telegrams in 1.0 s at UDP port 2115',
    });
  });

  test('at a TCP port that cannot be connected to is a problem', () => {
    const tcp = seen({
      values: to('0.0.0.0', { Protocol: 2 }).values,
      facts: {
        arrivals: new Map([
          ['scan', { closed: 'not connected', telegrams: 0, strangers: [], damaged: 0, seconds: 0 }],
        ]),
      },
    });
    expect(finding('scan-arrival', tcp).text).toBe('TCP port 2115 of the scanner cannot be connected to');
  });

  test('at another computer cannot be looked at', () => {
    expect(verdict('scan-arrival', seen({ facts: { arrivals: new Map() } }))).toHaveProperty('absent');
  });
});

describe('the format', () => {
  test.each([
    [{ ScanDataFormat: 3, EtherAuxEnabled: false }, 'problem', 'they are off'],
    [{ ScanDataFormat: 3 }, 'note', 'LMDscandata'],
    [{ ScanDataFormat: 4 }, 'note', 'ROS 2 domain'],
    [{ ScanDataFormat: 4, DeviceIdent: { Name: 'picoScan', Version: '2.1.0.0R' } }, 'problem', 'cannot send'],
  ])('%j is a %s', (values, severity, text) => {
    const found = finding('scan-format', seen({ values }));
    expect(found.severity).toBe(severity);
    expect(found.text).toContain(text);
  });

  test('of equipment: what the release knows and the scanner does not have is named', () => {
    expect(finding('equipment', seen({ lacks: ['ImuDataEnable', 'FieldEvaluationResult'] })).text).toBe(
      'this variant has no fields, no IMU data, although release 2.4.4 knows them',
    );
  });

  test('of equipment: what the release does not know is not missing', () => {
    const values = { DeviceIdent: { Name: 'picoScan', Version: '1.4.0.0R' } };
    expect(verdict('equipment', seen({ values, lacks: ['EncoderDataEnable'] }))).toHaveProperty('fine');
  });
});

describe('filters', () => {
  const angle = (start: number, stop: number, increment = 1) => ({
    LFPangleRangeFilter: {
      bEnable: true,
      fThetaStart: start,
      fThetaStop: stop,
      fPhiStart: -900_000,
      fPhiStop: 900_000,
      uiBeamIncrement: increment,
    },
  });
  test.each([
    [angle(-100_000, 100_000), 'note', 'from -10° to 10° out'],
    [angle(-1_380_000, 1_380_000, 2), 'note', 'only every beam number 2'],
    [angle(100_000, -100_000), 'problem', 'takes out everything'],
    [
      { LFPradialDistanceRangeFilter: { bEnable: true, ulDistMin: 9, ulDistMax: 9 } },
      'problem',
      'every echo',
    ],
    [
      { LFPradialDistanceRangeFilter: { bEnable: true, ulDistMin: 9, ulDistMax: 99 } },
      'note',
      'from 9 mm to 99 mm',
    ],
  ])('%j is a %s', (values, severity, text) => {
    const found = finding('filters', seen({ values }));
    expect(found.severity).toBe(severity);
    expect(found.text).toContain(text);
  });

  test('that take nothing out are fine', () => {
    expect(verdict('filters', seen({ values: angle(-1_380_000, 1_380_000) }))).toEqual({ fine: 'nothing' });
  });
});
