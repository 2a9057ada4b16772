import { type Clock, type MeasuringCore, MemoryStorage, SystemRandom } from '@azimuth/device';
import {
  basicSettings,
  extensions,
  measurementDataOutput,
  type PerformanceProfile,
  type Product,
  type Variable,
} from '@azimuth/model';
import { ScannerService } from '@azimuth/server';
import { VirtualHardware } from '@azimuth/simulation';
import { parseScene, SceneCore } from '@azimuth/simulation/world';
import { sceneOf } from './raycast/scene.js';

const service = { level: 'Service' } as const;
const { ScanDataEnable, ScanDataEthSettings } = measurementDataOutput.members;
const { PerformanceProfileNumber } = basicSettings.members;
const { fields } = extensions.members;

/** mm: a square ahead of the scanner. Nothing of the scene is in it. */
const contour = [
  { x: 500, y: -500 },
  { x: 1500, y: -500 },
  { x: 1500, y: 500 },
  { x: 500, y: 500 },
];

export interface ScannerOptions {
  readonly number?: number;
  readonly profile?: (typeof PerformanceProfile)[keyof typeof PerformanceProfile];
  /** The measuring core: by default, a scene. */
  readonly core?: MeasuringCore;
  /** Lines of the scene. */
  readonly lines?: number;
  /** UDP port of this machine to which it streams; it does not stream without. */
  readonly port?: number;
  /** Number of active fields. */
  readonly activeFields?: number;
  /** The built-in one by default. */
  readonly product?: Product;
}

/** A whole scanner in this process: its web server, its clock, and a scene with noise. */
export async function openScanner(clock: Clock, options: ScannerOptions): Promise<ScannerService> {
  const { number = 1, profile = 8, lines = 200, port, activeFields = 0, product } = options;
  const core = options.core ?? new SceneCore({ scene: parseScene(sceneOf(lines), 'scene'), seed: number });
  const scanner = await ScannerService.start({
    device: {
      identity: { serialNumber: String(number) },
      random: new SystemRandom(),
      storage: new MemoryStorage(),
      core,
      variant: 'full',
      product,
    },
    clock,
    hardware: new VirtualHardware({ info() {}, warn: report, error: report }, { bootMilliseconds: 0 }),
    network: { address: '127.0.0.1' },
    web: { port: 0, maxConnections: 10 },
  });
  write(scanner, PerformanceProfileNumber, profile);
  if (activeFields > 0) {
    const ids = Array.from({ length: activeFields }, (_, index) => index + 1);
    const defined = {
      evaluations: ids.map((Id) => ({ Id, Points: contour, MinimumObjectSize: 0 })),
      groups: [{ Id: 1, Activation: { Type: 1 }, Evaluations: ids }],
    };
    write(scanner, fields, fields.type.fromJson(defined, fields.name));
  }
  if (port !== undefined) stream(scanner, port);
  return scanner;
}

/** Begins to stream to this UDP port of this machine. */
export function stream(scanner: ScannerService, port: number): void {
  write(scanner, ScanDataEthSettings, { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: port });
  write(scanner, ScanDataEnable, true);
}

function write<T>({ device }: ScannerService, variable: Variable<T>, value: T): void {
  device.write(variable, value, service);
}

function report(message: string): void {
  process.stderr.write(`a scanner reports: ${message}\n`);
}
