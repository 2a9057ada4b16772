// Receives scan and IMU telegrams at the address of its one argument, and compares their times with the clock of this
// computer. Prints its ports, then once a second the error of each stream in ms (null if it did not come), as lines of JSON.
// A time is always a little behind when a telegram arrives: that is part of the error. Scans have their median error. An IMU
// reading is stamped with the time at which it was due, and leaves as much as the timer of the scanner is late: the error is
// that of the readings that waited least.
import { createSocket } from 'node:dgram';

const [address = '127.0.0.1'] = process.argv.slice(2);

/** What Date.now() is ahead of performance.now(), in ms: at the moments at which Date.now() changes, to the µs. */
function ahead() {
  let best = Number.NEGATIVE_INFINITY;
  for (let tick = 0; tick < 8; tick += 1) {
    const before = Date.now();
    while (Date.now() === before);
    best = Math.max(best, Date.now() - performance.now());
  }
  return best;
}

/** The error that a share of all is below. */
const quantile = (errors, share) =>
  errors.toSorted((one, other) => one - other)[Math.floor(errors.length * share)];

/** Where each telegram has a time of the moment at which it was sent or measured: µs, u64, little-endian. */
const streams = { scan: 16, imu: 52 };
const shares = { scan: 0.5, imu: 0.9 };
const samples = { scan: [], imu: [] };
const ports = {};
let newest = 0;
let wentBack = 0;

for (const [name, offset] of Object.entries(streams)) {
  const socket = createSocket('udp4');
  socket.on('message', (bytes) => {
    const at = performance.now();
    const time = Number(bytes.readBigUInt64LE(offset));
    samples[name].push({ at, time });
    if (name !== 'scan') return;
    if (time < newest) wentBack += 1;
    newest = time;
  });
  await new Promise((resolve) => {
    socket.bind(0, address, resolve);
  });
  ports[name] = socket.address().port;
}
process.stdout.write(`${JSON.stringify({ ports })}\n`);

setInterval(() => {
  const difference = ahead();
  const errors = Object.entries(samples).map(([name, taken]) => [
    name,
    quantile(
      taken.splice(0).map(({ at, time }) => time / 1000 - at - difference),
      shares[name],
    ) ?? null,
  ]);
  process.stdout.write(`${JSON.stringify({ ...Object.fromEntries(errors), wentBack })}\n`);
}, 1000);
