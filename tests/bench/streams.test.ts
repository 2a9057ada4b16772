import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decodeTelegram } from '@azimuth/telegrams';
import { encodeCompactScan, encodeImu } from '@azimuth/telegrams/encode';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Arrivals } from '../../bench/src/streams/arrivals.js';
import { ScannerGroup } from '../../bench/src/streams/scanners.js';
import { segmentWith } from '../../bench/src/telegram/tasks.js';

const lastBeam = 92_040_857_370;

function scanTelegram({ sequence = 1, sender = 7, lag = 0 }): Buffer {
  const module = { ...segmentWith(1), sender, lastBeamTime: [lastBeam] };
  return Buffer.from(encodeCompactScan({ sequence, transmitTime: lastBeam + lag, modules: [module] }));
}

const imuTelegram = Buffer.from(
  encodeImu({ acceleration: [0, 0, 9.81], angularVelocity: [0, 0, 0], orientation: [1, 0, 0, 0], time: 5 }),
);

describe('what arrives', () => {
  it('is counted, by sender what is missing in between', () => {
    const arrivals = new Arrivals();
    for (const sequence of [10, 11, 14]) arrivals.add(scanTelegram({ sequence, sender: 1 }));
    for (const sequence of [500, 501]) arrivals.add(scanTelegram({ sequence, sender: 2 }));
    expect(arrivals.result).toMatchObject({ telegrams: 5, lost: 2, senders: 2, others: 0 });
  });

  it('is late by the time from the last beam to the sending', () => {
    const arrivals = new Arrivals();
    for (let telegram = 1; telegram <= 98; telegram++) {
      arrivals.add(scanTelegram({ sequence: telegram, lag: 700 }));
    }
    arrivals.add(scanTelegram({ sequence: 99, lag: 4200 }));
    arrivals.add(scanTelegram({ sequence: 100, lag: 9000 }));
    expect(arrivals.result).toMatchObject({ lagP50: 0.7, lagP99: 4.2, lagMost: 9, late: 1 });
  });

  it('is counted apart where it is not of scan data', () => {
    const arrivals = new Arrivals();
    arrivals.add(imuTelegram);
    expect(arrivals.result).toMatchObject({ telegrams: 0, others: 1 });
  });

  it('counts anew when that is asked for', () => {
    const arrivals = new Arrivals();
    arrivals.add(scanTelegram({ sequence: 1, lag: 9000 }));
    arrivals.add(imuTelegram);
    arrivals.clear();
    arrivals.add(scanTelegram({ sequence: 9, lag: 1000 }));
    const results = {
      telegrams: 1,
      lost: 0,
      senders: 1,
      others: 0,
      lagP50: 1,
      lagP99: 1,
      lagMost: 1,
      late: 0,
    };
    expect(arrivals.result).toEqual(results);
  });
});

describe('scanners of one process', () => {
  it('stream 50 Hz at 0.25°, whole, each to its own port', async () => {
    const receivers = await Promise.all(
      [1, 2].map(async () => {
        const socket = createSocket('udp4').bind(0, '127.0.0.1');
        await once(socket, 'listening');
        onTestFinished(() => void socket.close());
        return socket;
      }),
    );
    const first = receivers.map(async (socket) => {
      const [telegram] = await once(socket, 'message');
      return decodeTelegram(telegram);
    });
    const group = await ScannerGroup.open(receivers.map((socket) => socket.address().port));
    onTestFinished(() => group.close());
    const told = await Promise.all(first);
    expect(group.count.scans).toBeGreaterThanOrEqual(2);
    for (const [index, arrived] of told.entries()) {
      expect(arrived).toMatchObject({ kind: 'scan', format: 'Compact' });
      const { modules = [] } = 'modules' in arrived.telegram ? arrived.telegram : {};
      // 60° at 0.25°: the first segment of a turn of 276°.
      expect(modules).toMatchObject([{ sender: index + 1, segmentIndex: 0, columns: 240, echoes: 3 }]);
      expect(Object.keys(modules[0] ?? {})).toEqual(
        expect.arrayContaining(['rssi', 'properties', 'azimuth']),
      );
    }
  });
});
