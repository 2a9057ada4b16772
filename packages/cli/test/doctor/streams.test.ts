import { describe, expect, test } from 'vitest';
import { Observation } from '../../src/doctor/observation.js';
import { finding, observation, realOnly, sent, verdict } from './observation.js';

const to = (address: string, more: object = {}) => ({
  values: {
    ScanDataEthSettings: { Protocol: 1, IPAddress: address.split('.').map(Number), Port: 2115, ...more },
  },
});

describe('a stream that is off', () => {
  test('is a problem for scan data, and can be switched on', () => {
    const { severity, fix } = finding('scan-on', observation({ values: { ScanDataEnable: false } }));
    expect(severity).toBe('problem');
    expect(fix?.acts).toEqual([{ write: 'ScanDataEnable', value: true }]);
  });

  test('is usual for IMU and encoder data', () => {
    expect(verdict('imu-on', observation())).toEqual({ fine: 'off' });
  });

  test('does not matter for LMDscandata', () => {
    expect(
      verdict('scan-on', observation({ values: { ScanDataEnable: false, ScanDataFormat: 3 } })),
    ).toHaveProperty('fine');
  });

  test('is absent if the variant does not have it', () => {
    expect(verdict('imu-on', observation({ lacks: ['ImuDataEnable'] }))).toEqual({
      absent: 'this scanner has no IMU data',
    });
  });
});

describe('the destination', () => {
  test('of port 0 is a problem, and can be fixed', () => {
    const { text, fix } = finding('scan-destination', observation(to('192.168.0.50', { Port: 0 })));
    expect(text).toBe('scan data goes to port 0, so nothing is sent');
    expect(fix?.acts).toEqual([{ write: 'ScanDataEthSettings', members: { Port: 2115 } }]);
  });

  test.each([
    ['0.0.0.0', 'which is no address'],
    ['192.168.0.1', 'which is the address of the scanner itself'],
    ['127.0.0.1', 'which is the scanner itself, and not this computer'],
  ])('%s is one where nobody can receive', (address, why) => {
    const { severity, text, advice, fix } = finding('scan-destination', observation(to(address)));
    expect(severity).toBe('problem');
    expect(text).toContain(why);
    expect(advice).toBe('azimuth set ScanDataEthSettings IPAddress=192.168.0.50 --device @gate3');
    expect(fix?.acts).toEqual([{ write: 'ScanDataEthSettings', members: { IPAddress: [192, 168, 0, 50] } }]);
  });

  test('on another computer is worth a note, and is not taken from it', () => {
    expect(finding('scan-destination', observation(to('192.168.0.77')))).toEqual({
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
    expect(verdict('scan-destination', observation(to(address)))).toEqual({ fine });
  });

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    // A client of another address of loopback connects from 127.0.0.1.
    ['127.0.0.2', '127.0.0.1'],
    ['127.0.0.1', '127.0.3.4'],
    ['192.168.0.50', '127.0.0.1'],
  ])('of a scanner at %s, which is this computer, to %s is this computer', (host, address) => {
    const facts = { host, own: '127.0.0.1', isHere: true };
    const local = observation({ ...to(address), facts });
    expect(verdict('scan-destination', local)).toEqual({ fine: 'this computer, port 2115' });
  });

  test('cannot be judged for a scanner that was not reached over IPv4', () => {
    const { host: _, own: __, ...facts } = observation(to('192.168.0.50')).facts;
    expect(verdict('scan-destination', new Observation(facts))).toHaveProperty('unseen');
    expect(verdict('scan-arrival', new Observation({ ...facts, arrivals: new Map() }))).toHaveProperty(
      'unseen',
    );
  });

  test('is of no meaning over TCP', () => {
    expect(verdict('scan-destination', observation(to('0.0.0.0', { Protocol: 2 })))).toEqual({
      fine: 'TCP: programs connect to port 2115 of the scanner',
    });
  });
});

describe('the route', () => {
  test('outside of the network needs a gateway', () => {
    const { text, fix } = finding('scan-route', observation(to('10.1.2.3')));
    expect(text).toBe(
      'scan data cannot leave: 10.1.2.3 is not in the network of the scanner (192.168.0.0/24), and the scanner has no gateway',
    );
    expect(fix).toBeDefined();
  });

  test('through a gateway outside of the network leads nowhere', () => {
    const values = { ...to('10.1.2.3').values, EtherIPGateAddress: [10, 0, 0, 1] };
    expect(finding('scan-route', observation({ values })).text).toContain(
      'its gateway 10.0.0.1 is not in it either',
    );
  });

  test('through a gateway is fine if data arrives, and is not known to be otherwise', () => {
    const values = { ...to('10.1.2.3').values, EtherIPGateAddress: [192, 168, 0, 254] };
    expect(verdict('scan-route', observation({ values }))).toEqual({
      fine: 'through the gateway 192.168.0.254',
    });
    expect(verdict('scan-route', observation({ values, facts: { arrivals: new Map() } }))).toHaveProperty(
      'unseen',
    );
  });

  test('to this computer in another network is not mended by sending it to this computer', () => {
    const facts = { own: '10.1.2.3', networks: [{ address: '10.1.2.3', mask: '255.255.255.0' }] };
    const { advice, fix } = finding('scan-route', observation({ ...to('10.1.2.3'), facts }));
    expect(advice).toContain('give this computer an address in the network of the scanner');
    expect(fix).toBeUndefined();
  });

  test('does not matter on loopback', () => {
    expect(verdict('scan-route', observation(to('127.0.0.1')))).toHaveProperty('absent');
  });

  test('is not known for a scanner that was reached at another address than its own', () => {
    expect(
      verdict('scan-route', observation({ facts: { host: '127.0.0.1', own: '127.0.0.1', isHere: true } })),
    ).toEqual({
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
    expect(finding('scan-sending', observation({ metrics })).text).toBe(
      'scan data to 192.168.0.50, port 2115 is refused: no program listens at that port',
    );
  });

  test('that was refused earlier is fine', () => {
    const metrics = [
      `${sent(1)}\n${errors('refused', 157)}`,
      `${sent(151)}\n${errors('refused', 157)}`,
    ] as const;
    expect(verdict('scan-sending', observation({ metrics }))).toEqual({ fine: '150 telegrams were sent' });
  });

  test('of a stream that is down is a problem, with the reason', () => {
    const down = `${sent(1)}\nazimuth_stream_down{stream="scan",reason="no_address"} 1`;
    expect(finding('scan-sending', observation({ metrics: [down, down] })).text).toContain(
      'DHCP offers none',
    );
  });

  test('of nothing is a warning', () => {
    expect(finding('scan-sending', observation({ metrics: [sent(5), sent(5)] })).text).toContain(
      'nothing was sent',
    );
  });

  test('is not told by a real scanner', () => {
    expect(verdict('scan-sending', realOnly())).toHaveProperty('unseen');
  });
});

describe('the arrival', () => {
  const arriving = (arrival: object, address = '192.168.0.50') =>
    observation({
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

  test.each([1, 2, 4, 8])(
    'of nothing means nothing while the scanner does not measure (state %i)',
    (state) => {
      const { facts } = arriving({});
      const readings = new Map(facts.readings).set('DeviceStatus', { value: state });
      for (const observation of [new Observation({ ...facts, readings })]) {
        expect(verdict('scan-arrival', observation)).toEqual({
          unseen: 'the scanner does not measure now, so nothing can arrive',
        });
      }
      expect(
        verdict(
          'scan-sending',
          observation({ values: { DeviceStatus: state }, metrics: [sent(5), sent(5)] }),
        ),
      ).toHaveProperty('unseen');
    },
  );

  test.each([
    ['a format that the stream does not send', { values: { ScanDataFormat: 4 } }],
    ['a scanner that sends nothing, which another check tells', { metrics: [sent(5), sent(5)] as const }],
  ])('of nothing is not the fault of a firewall with %s', (_, differences) => {
    const { facts } = arriving({});
    const { arrivals } = facts;
    expect(verdict('scan-arrival', observation({ ...differences, facts: { arrivals } }))).toHaveProperty(
      'unseen',
    );
  });

  test.each([
    ['WSL2', 'WSL2 behind the NAT of Windows', 'networkingMode=mirrored'],
    ['container', 'a container behind the NAT of its host', '-p 2115:2115/udp'],
  ] as const)('of nothing in a %s names its NAT, with the remedy', (situation, cause, remedy) => {
    const nat = {
      situation,
      own: '172.17.0.2',
      networks: [{ address: '172.17.0.2', mask: '255.255.0.0' }],
    };
    const { facts } = arriving({}, '172.17.0.2');
    const behindNat = new Observation({ ...facts, ...nat });
    const { text, advice } = finding('scan-arrival', behindNat);
    expect(text).toContain(cause);
    expect(advice).toContain(remedy);
    expect(advice).not.toContain('ufw');
    // The scanner cannot reach this address: it is no destination.
    const elsewhere = finding('scan-destination', observation({ ...to('192.168.0.77'), facts: nat }));
    expect(elsewhere.advice).toContain(remedy);
    expect(elsewhere.advice).not.toContain('IPAddress=172.17.0.2');
    expect(finding('scan-destination', observation({ ...to('0.0.0.0'), facts: nat })).fix).toBeUndefined();
  });

  test('of nothing in a container in the network of the scanner, or with the scanner, is no matter of NAT', () => {
    const { facts } = arriving({});
    const near = new Observation({ ...facts, situation: 'container' });
    expect(finding('scan-arrival', near).advice).toContain('ufw');
    const here = new Observation({ ...facts, situation: 'WSL2', isHere: true });
    expect(finding('scan-arrival', here).advice).toContain('ufw');
  });

  test('of nothing in a network that Windows counts as public names that, with the remedy', () => {
    const { facts } = arriving({});
    const { text, advice } = finding(
      'scan-arrival',
      new Observation({ ...facts, situation: 'public network' }),
    );
    expect(text).toContain('Windows counts this network as public');
    expect(advice).toContain('-NetworkCategory Private');
    expect(advice).toContain('-LocalPort 2115');
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
    expect(finding('scan-arrival', observation())).toEqual({
      severity: 'note',
      text: 'scan data arrives at UDP port 2115 of this computer, and no program listens there now',
      advice: 'start yours, or look at it: azimuth scan --device @gate3',
    });
  });

  test('of telegrams that several programs can receive is fine', () => {
    const { values } = to('239.1.2.3');
    expect(verdict('scan-arrival', observation({ values }))).toEqual({
      fine: '150 telegrams in 1.0 s at UDP port 2115',
    });
  });

  test('at a TCP port that cannot be connected to is a problem', () => {
    const tcp = observation({
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
    expect(verdict('scan-arrival', observation({ facts: { arrivals: new Map() } }))).toHaveProperty('absent');
  });
});

describe('the format', () => {
  test.each([
    [{ ScanDataFormat: 3, EtherAuxEnabled: false }, 'problem', 'they are off'],
    [{ ScanDataFormat: 3 }, 'note', 'LMDscandata'],
    [{ ScanDataFormat: 4 }, 'note', 'ROS 2 domain'],
    [{ ScanDataFormat: 4, DeviceIdent: { Name: 'picoScan', Version: '2.1.0.0R' } }, 'problem', 'cannot send'],
  ])('%j is a %s', (values, severity, text) => {
    const found = finding('scan-format', observation({ values }));
    expect(found.severity).toBe(severity);
    expect(found.text).toContain(text);
  });

  test('of equipment: what the release knows and the scanner does not have is named', () => {
    expect(
      finding('equipment', observation({ lacks: ['ImuDataEnable', 'FieldEvaluationResult'] })).text,
    ).toBe('this variant has no fields, no IMU data, although release 2.4.4 knows them');
  });

  test('of equipment: what the release does not know is not missing', () => {
    const values = { DeviceIdent: { Name: 'picoScan', Version: '1.4.0.0R' } };
    expect(verdict('equipment', observation({ values, lacks: ['EncoderDataEnable'] }))).toHaveProperty(
      'fine',
    );
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
    const found = finding('filters', observation({ values }));
    expect(found.severity).toBe(severity);
    expect(found.text).toContain(text);
  });

  test('that take nothing out are fine', () => {
    expect(verdict('filters', observation({ values: angle(-1_380_000, 1_380_000) }))).toEqual({
      fine: 'nothing',
    });
  });
});
