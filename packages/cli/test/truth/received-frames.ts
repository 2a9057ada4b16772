import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { decodeTelegram, type Frame, FrameAssembly } from '@azimuth/client';
import type { ScanTruth, TestScanner } from '@azimuth/testing';

/** Switches the scan data of scanners on, lets time pass by `advance`, and returns the whole frames of each. */
export async function receivedFrames(
  scanners: readonly TestScanner[],
  advance: () => Promise<void>,
): Promise<readonly (readonly Frame[])[]> {
  const drivers = await Promise.all(
    scanners.map(async (scanner) => {
      const socket = createSocket('udp4').bind(0, '127.0.0.1');
      await once(socket, 'listening');
      const assembly = new FrameAssembly();
      const frames: Frame[] = [];
      socket.on('message', (datagram) => {
        const decoded = decodeTelegram(datagram);
        if (decoded.kind === 'scan') frames.push(...assembly.push(decoded.telegram, 'scanner'));
      });
      await scanner.write('ScanDataEthSettings', {
        Protocol: 1,
        IPAddress: [127, 0, 0, 1],
        Port: socket.address().port,
      });
      await scanner.write('ScanDataEnable', true);
      return { socket, frames };
    }),
  );
  await advance();
  for (const { socket } of drivers) socket.close();
  return drivers.map(({ frames }) => frames.filter(({ complete }) => complete));
}

/** A pose in m and rad. */
export interface DriverPose {
  readonly x: number;
  readonly y: number;
  readonly heading: number;
}

/** What one beam has measured. */
export interface Beam {
  readonly frame: number;
  /** µs. */
  readonly time: number;
  /** µs of the first and the last beam of its scan. */
  readonly begin: number;
  readonly end: number;
  /** rad. */
  readonly angle: number;
  /** m. */
  readonly range: number;
}

/** The nearest echoes of a frame. */
export function beamsOf({ number, time, endTime, beams, echoes, distance, azimuth }: Frame): readonly Beam[] {
  return [...azimuth].flatMap((angle, beam) => {
    const range = (distance[beam * echoes] ?? 0) / 1000;
    const at = time + ((endTime - time) * beam) / (beams - 1);
    return range === 0 ? [] : [{ frame: number, time: at, begin: time, end: endTime, angle, range }];
  });
}

/** The poses of a scanner by time (µs), as an odometer would tell them: of every tenth beam. */
export class Odometry {
  readonly #poses: readonly (DriverPose & { readonly time: number })[];

  constructor(truths: readonly ScanTruth[]) {
    this.#poses = truths.flatMap(({ beams }) =>
      beams
        .filter((_, at) => at % 10 === 0)
        .map(({ time, pose: { x, y, heading } }) => ({ time, x, y, heading: (heading * Math.PI) / 180 })),
    );
  }

  at(time: number): DriverPose {
    const poses = this.#poses;
    const next = poses.findIndex((pose) => pose.time > time);
    const at = next < 0 ? poses.length - 2 : Math.max(0, next - 1);
    const [from, to] = [poses[at], poses[at + 1]];
    if (from === undefined || to === undefined) throw new Error('two poses expected');
    const part = (time - from.time) / (to.time - from.time);
    const turn =
      to.heading - from.heading - 2 * Math.PI * Math.round((to.heading - from.heading) / (2 * Math.PI));
    return {
      x: from.x + part * (to.x - from.x),
      y: from.y + part * (to.y - from.y),
      heading: from.heading + part * turn,
    };
  }
}

/** A pose in the axes of another one is placed into the axes of that one. */
export function placed(outer: DriverPose, inner: DriverPose): DriverPose {
  const [cosine, sine] = [Math.cos(outer.heading), Math.sin(outer.heading)];
  return {
    x: outer.x + cosine * inner.x - sine * inner.y,
    y: outer.y + sine * inner.x + cosine * inner.y,
    heading: outer.heading + inner.heading,
  };
}

/** The inverse of a pose: where the world is for it. */
export function inverse({ x, y, heading }: DriverPose): DriverPose {
  const [cosine, sine] = [Math.cos(heading), Math.sin(heading)];
  return { x: -cosine * x - sine * y, y: sine * x - cosine * y, heading: -heading };
}

export function pointOf({ angle, range }: Beam): DriverPose {
  return { x: range * Math.cos(angle), y: range * Math.sin(angle), heading: 0 };
}

/** Points as a table. */
export function tableOf(
  points: readonly (DriverPose & { readonly time: number; readonly frame: number })[],
): string {
  const rows = points.map(({ x, y, time, frame }) => `${x},${y},${time},${frame}`);
  return ['x_m,y_m,time_us,frame', ...rows].join('\n');
}
