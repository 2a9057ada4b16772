// A program that somebody writes who has a measuring core of his own, and a careless one: it throws wherever it can.
import { MemoryStorage, Scan, SystemClock, SystemRandom } from '@azimuth/device';
import { ScannerService } from '@azimuth/server';
import { VirtualHardware } from '@azimuth/simulation';

const fail = (where) => {
  throw new Error(`no laser ${where}`);
};

class CarelessCore {
  start({ geometry, clock, now }, measured) {
    const scan = new Scan(geometry);
    const period = 1_000_000 / geometry.frequency;
    const begin = now();
    let number = 0;
    const book = () => clock.after(Math.max(0, begin + (number + 1) * period - now()) / 1000, turn);
    const turn = () => {
      number += 1;
      book();
      measured(undefined);
      scan.number = number;
      scan.time = begin + number * period;
      measured(scan);
      fail('at the clock of the scanner');
    };
    book();
  }

  stop() {
    fail('at the end');
  }

  motion() {
    fail('on the move');
  }
}

if (process.argv[2] === 'timers of node') {
  CarelessCore.prototype.start = () => {
    setInterval(() => fail('at a timer of node'), 20);
  };
}

const tell = (severity) => (message, facts) =>
  process.stderr.write(`${JSON.stringify({ severity, message, facts })}\n`);
const log = { info: () => undefined, warn: tell('warn'), error: tell('error') };
const service = await ScannerService.start({
  device: {
    identity: { serialNumber: '23450001' },
    random: new SystemRandom(),
    storage: new MemoryStorage(),
    variant: 'full',
    core: new CarelessCore(),
  },
  clock: new SystemClock(),
  hardware: new VirtualHardware(log),
  network: { address: '127.0.0.1' },
  web: { port: 0, maxConnections: 64 },
});
service.outliveErrors();
service.device.features.measuring.watch({ scan: () => undefined });
process.stdout.write(`${service.ports.http}\n`);
