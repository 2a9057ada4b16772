import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type StartOptions,
  startScanner,
  startWorld,
  type TestScanner,
  type TestWorld,
} from 'azimuth-scanner/testing';
import { onTestFinished } from 'vitest';
import { Driver, type Pose } from './driver.js';
import { mistakes } from './mistakes.js';

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The driver under test: put yours here. */
export function driverUnderTest(): Driver {
  const { DRIVER_MISTAKE: mistake } = process.env;
  return new (mistakes[mistake ?? ''] ?? Driver)();
}

/** Starts a scanner in a scene, with a plan of faults: names of files in `scenes` and `plans`. */
export async function start(scene: string, plan?: string, options: StartOptions = {}): Promise<TestScanner> {
  const faults =
    plan === undefined ? undefined : JSON.parse(readFileSync(pathOf(`plans/${plan}.json`), 'utf8'));
  const scanner = await startScanner({ ...options, scene: pathOf(`scenes/${scene}.json`), faults });
  onTestFinished(() => scanner.close());
  return scanner;
}

/** Starts all scanners of a vehicle: the name of a file in `scenes`. All have UTC. */
export async function startVehicle(scene: string): Promise<TestWorld> {
  const world = await startWorld({ world: pathOf(`scenes/${scene}.json`), synchronised: true });
  onTestFinished(() => world.close());
  return world;
}

/** Sends the streams of scanners to a driver. Arrivals are told by the clock of the first scanner. */
export async function connect(driver: Driver, ...scanners: readonly TestScanner[]): Promise<void> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  onTestFinished(() => void socket.close());
  await once(socket, 'listening');
  const clock = scanners[0]?.device.clock;
  socket.on('message', (datagram) => driver.receive(datagram, (clock?.monotonic() ?? 0) * 1000));
  const destination = { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: socket.address().port } as const;
  for (const scanner of scanners) {
    await scanner.write('ScanDataEthSettings', destination);
    await scanner.write('ScanDataEnable', true);
    await scanner.write('ImuDataEthSettings', destination);
    await scanner.write('ImuDataEnable', true);
  }
}

/** Starts a scanner that sends to the driver under test. */
export async function drive(scene: string, plan?: string, options?: StartOptions) {
  const scanner = await start(scene, plan, options);
  const driver = driverUnderTest();
  await connect(driver, scanner);
  return { scanner, driver };
}

/** Lets time pass in steps so small that telegrams arrive at their time. */
export async function pass(milliseconds: number, ...scanners: readonly TestScanner[]): Promise<void> {
  const step = 5;
  for (let passed = 0; passed < milliseconds; passed += step)
    for (const scanner of scanners) await scanner.advance(step);
}

/** Poses of a scanner at times of a scan. Your localisation gives them; here, the simulation does. */
export async function poses(scanner: TestScanner, scan: number): Promise<(time: number) => Pose> {
  const { beams } = await scanner.truth({ scan });
  const [first] = beams;
  const last = beams.at(-1);
  if (first === undefined || last === undefined) throw new Error('a scan with beams expected');
  return (time) => {
    const place = ((time - first.time) / (last.time - first.time)) * (beams.length - 1);
    const before = beams[Math.floor(place)]?.pose ?? last.pose;
    const behind = beams[Math.ceil(place)]?.pose ?? last.pose;
    const between = (one: number, other: number) => one + (place - Math.floor(place)) * (other - one);
    const heading = (between(before.heading, behind.heading) * Math.PI) / 180;
    return { x: between(before.x, behind.x), y: between(before.y, behind.y), heading };
  };
}
