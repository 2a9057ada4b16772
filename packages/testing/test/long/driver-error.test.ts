import { execFile, execFileSync, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { decodeTelegram, type Frame, FrameAssembly } from '@azimuth/client';
import { readyScenes } from '@azimuth/simulation/world';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startScanner, type TestScanner } from '../../src/index.js';
import { datagramDriver } from '../datagram-driver.js';

const python = process.platform === 'win32' ? 'python' : 'python3';
const repeated = fileURLToPath(new URL('../repeated_program.py', import.meta.url));
const example = fileURLToPath(new URL('../../../../examples/driver_error.py', import.meta.url));

function hasPython(): boolean {
  try {
    execFileSync(python, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A scan as a driver gives it to driver_error.py. */
interface DriverScan {
  readonly frame: number;
  readonly time: number;
  readonly endTime: number;
  readonly echoes: number;
  readonly azimuth: readonly number[];
  readonly distance: readonly number[];
  readonly deskewed?: 'begin' | 'end' | 'world';
}

function scanOf(frame: Frame): DriverScan {
  const { number, time, endTime, echoes, azimuth, distance } = frame;
  return {
    frame: number,
    time,
    endTime,
    echoes,
    azimuth: [...azimuth].map((rad) => (rad * 180) / Math.PI),
    distance: [...distance],
  };
}

/** Output of driver_error.py about a scan, and its exit code. */
interface Judgement {
  readonly report: string;
  readonly code: number;
}

const controlOf = ({ ports }: TestScanner): string => `http://127.0.0.1:${ports.control}`;

function judged(scanner: TestScanner, scan: DriverScan): Promise<Judgement> {
  return new Promise((resolve) => {
    const child = execFile(python, [example, controlOf(scanner)], (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? Number.NaN);
      resolve({ report: `${stdout}${stderr}`, code });
    });
    child.stdin?.on('error', () => undefined).end(JSON.stringify(scan));
  });
}

/** The same for many scans: to start Python takes longer than to judge. */
function judgeOfMany(scanner: TestScanner): (scan: DriverScan) => Promise<Judgement> {
  const child = spawn(python, [repeated, example, controlOf(scanner)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return async (scan) => {
    child.stdin.write(`${JSON.stringify(scan)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error('driver_error.py has ended with an error');
    return JSON.parse(value);
  };
}

type Settings = (scanner: TestScanner) => Promise<unknown>;

/** A scanner, and its scans as a driver without faults receives them, all echoes of each beam. */
async function received(scene: string, settings: Settings = () => Promise.resolve()) {
  const scanner = await startScanner({ scene, controlPort: true });
  onTestFinished(() => scanner.close());
  const { received: datagrams, destination } = await datagramDriver();
  await scanner.write('ScanDataEthSettings', destination);
  await scanner.write('FREchoFilter', 1);
  await settings(scanner);
  await scanner.write('ScanDataEnable', true);
  await scanner.advance(400);
  const assembly = new FrameAssembly();
  const frames = datagrams.flatMap((datagram) => {
    const telegram = decodeTelegram(datagram);
    return telegram.kind === 'scan' ? [...assembly.push(telegram.telegram, 'scanner')] : [];
  });
  return { scanner, scans: frames.filter(({ complete }) => complete).map(scanOf) };
}

/** The echoes of each beam. */
function beamsOf({ distance, echoes }: DriverScan): number[][] {
  return Array.from({ length: distance.length / echoes }, (_, beam) =>
    distance.slice(beam * echoes, (beam + 1) * echoes),
  );
}

const turned = (by: number) => (scan: DriverScan) => {
  const beams = beamsOf(scan);
  return { ...scan, distance: [...beams.slice(-by), ...beams.slice(0, -by)].flat() };
};

type Plant = (scan: DriverScan, before: DriverScan) => DriverScan;

/** Faults that drivers have had, and what is said of each. */
const faults: Readonly<Record<string, readonly [Plant, said: RegExp]>> = {
  'mirrored ranges': [
    (scan) => ({ ...scan, distance: beamsOf(scan).toReversed().flat() }),
    /the ranges are (not those of their|turned by .*) beams/,
  ],
  'ranges that are a beam off': [turned(1), /the ranges are turned by -?(1\.\d|0\.[5-9]) beams/],
  'ranges that are a segment off': [turned(90), /the ranges are (not those of their|turned by .*) beams/],
  'ranges that are 1 % too long': [
    (scan) => ({ ...scan, distance: scan.distance.map((mm) => mm * 1.01) }),
    /the ranges are scaled by 1\.0/,
  ],
  'echoes in the wrong order': [
    (scan) => ({ ...scan, distance: beamsOf(scan).flatMap((echoes) => echoes.toReversed()) }),
    /echoes are out of order in \d+ beams/,
  ],
  'some azimuths of no beam': [
    (scan) => ({
      ...scan,
      azimuth: scan.azimuth.map((degrees, beam) => (beam % 50 === 25 ? degrees + 400 : degrees)),
    }),
    /^wrong: \d+ azimuths are those of no beam$/,
  ],
  'most echoes left out': [
    (scan) => ({
      ...scan,
      distance: beamsOf(scan).flatMap((echoes, beam) => (beam % 3 === 0 ? echoes : echoes.map(() => 0))),
    }),
    /more beams are missing than there are/,
  ],
  'beams in the middle left out': [
    (scan) => {
      const isVisible = (beam: number) => beam < 300 || beam >= 400;
      return {
        ...scan,
        azimuth: scan.azimuth.filter((_, beam) => isVisible(beam)),
        distance: beamsOf(scan)
          .filter((_, beam) => isVisible(beam))
          .flat(),
      };
    },
    /^wrong: \d+ beams between the first and the last are missing$/,
  ],
  'the scan before under the number of this one': [
    ({ frame }, before) => ({ ...before, frame }),
    /the times are not those of this scan/,
  ],
};

describe.runIf(hasPython()).each([...readyScenes])('examples/driver_error.py in the scene %s', (scene) => {
  test('finds a driver without faults right, and each planted fault', async () => {
    const { scanner, scans } = await received(scene);
    const [before, scan] = scans.slice(-2);
    if (scan === undefined || before === undefined) throw new Error('two scans expected');
    const judge = judgeOfMany(scanner);
    const right = await judge(scan);
    expect(right.report).toMatch(/^right$/m);
    expect(right.code).toBe(0);
    for (const [name, [plant, said]] of Object.entries(faults)) {
      const { report, code } = await judge(plant(scan, before));
      expect(
        report.split('\n').find((line) => line.startsWith('wrong: ')),
        name,
      ).toMatch(said);
      expect(code, name).toBe(1);
    }
  });

  const range = {
    bEnable: true,
    fThetaStart: -400_000,
    fThetaStop: 700_000,
    fPhiStart: -900_000,
    fPhiStop: 900_000,
  };

  const narrow = { fThetaStart: -100_000, fThetaStop: 100_000 };
  const aside = { fThetaStart: 1_000_000, fThetaStop: 1_380_000 };

  test.each<[string, Settings]>([
    ['an angle range', (scanner) => scanner.write('LFPangleRangeFilter', { ...range, uiBeamIncrement: 1 })],
    [
      'few beams',
      (scanner) => scanner.write('LFPangleRangeFilter', { ...range, ...narrow, uiBeamIncrement: 1 }),
    ],
    [
      'few and scattered beams',
      (scanner) => scanner.write('LFPangleRangeFilter', { ...range, ...aside, uiBeamIncrement: 7 }),
    ],
    ['every third beam', (scanner) => scanner.write('LFPangleRangeFilter', { ...range, uiBeamIncrement: 3 })],
    ['the last echo alone', (scanner) => scanner.write('FREchoFilter', 2)],
    ['the finest profile', (scanner) => scanner.write('PerformanceProfileNumber', 9)],
  ])('finds a driver right with %s', async (_, settings) => {
    const { scanner, scans } = await received(scene, settings);
    const judge = judgeOfMany(scanner);
    // No scan of many may be reported as wrong.
    for (const scan of scans) {
      const { report, code } = await judge(scan);
      const few = scan.azimuth.length < 60 && /fewer than 10 beams can be compared/.test(report);
      expect([report, code]).toEqual(few ? [report, 1] : [expect.stringMatching(/^right$/m), 0]);
    }
    expect(scans.length).toBeGreaterThan(3);
  });
});

test('examples/driver_error.py finds a right deskewer right, and one that does not deskew wrong', async () => {
  const waypoints = [
    { t: 0, x: 0, y: 0, heading: 0 },
    { t: 1, x: 1.5, y: 0.5, heading: 90 },
  ];
  const room = {
    polygons: [
      {
        points: [
          [-4, -3],
          [5, -3],
          [5, 3.5],
          [-4, 3.5],
        ] as [number, number][],
      },
    ],
  };
  const scanner = await startScanner({
    scene: { ...room, scanner: { path: { waypoints } } },
    controlPort: true,
  });
  onTestFinished(() => scanner.close());
  const { received: datagrams, destination } = await datagramDriver();
  await scanner.write('ScanDataEthSettings', destination);
  await scanner.write('FREchoFilter', 0);
  await scanner.write('ScanDataEnable', true);
  await scanner.advance(500);
  const assembly = new FrameAssembly();
  const frames = datagrams.flatMap((datagram) => {
    const telegram = decodeTelegram(datagram);
    return telegram.kind === 'scan' ? [...assembly.push(telegram.telegram, 'scanner')] : [];
  });
  const [scan] = frames
    .filter(({ complete }) => complete)
    .map(scanOf)
    .slice(-1);
  if (scan === undefined) throw new Error('a scan expected');
  const { beams } = await scanner.truth({ scan: scan.frame });
  const world = scan.azimuth.map((azimuth, beam) => {
    const { x = 0, y = 0, heading = 0 } = beams[beam]?.pose ?? {};
    const direction = ((azimuth + heading) * Math.PI) / 180;
    const range = (scan.distance[beam] ?? 0) / 1000;
    return [x + range * Math.cos(direction), y + range * Math.sin(direction)] as const;
  });
  const deskewed = {
    ...scan,
    azimuth: world.map(([x, y]) => (Math.atan2(y, x) * 180) / Math.PI),
    distance: scan.distance.map((mm, beam) => (mm === 0 ? 0 : 1000 * Math.hypot(...(world[beam] ?? [])))),
  };
  expect(await judged(scanner, { ...deskewed, deskewed: 'world' })).toMatchObject({ code: 0 });
  expect(await judged(scanner, scan)).toMatchObject({ code: 0 });
  const wrong = await judged(scanner, { ...scan, deskewed: 'begin' });
  expect(wrong.report).toMatch(/^wrong: the ranges are /m);
  expect(wrong.code).toBe(1);
});
