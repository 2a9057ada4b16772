import {
  Fleet,
  type FleetOptions,
  FleetPort,
  FleetStore,
  type MemberFacts,
  type ScannerFacts,
  type WorkerRole,
} from '@azimuth/fleet';
import { readyScene } from '@azimuth/simulation/world';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './files.js';

const scene = readyScene('empty-room');

/** Facts of scanners with the serial numbers 1, 2, 3 … */
export function scannerFacts(
  count: number,
  of: (number: number) => Partial<ScannerFacts> = () => ({}),
): readonly ScannerFacts[] {
  return Array.from({ length: count }, (_, index) => ({
    serial: String(index + 1),
    group: 'hall',
    variant: 'full',
    scene,
    seed: index,
    parameters: {},
    ...of(index + 1),
  }));
}

export interface SomeFleet {
  readonly fleet: Fleet;
  readonly url: string;
  /** Ends it as a power cut of the computer would. */
  end(): Promise<void>;
}

/** A fleet with its port, which ends with the test. */
export async function someFleet(
  facts: readonly MemberFacts[],
  {
    data = temporaryFolder(),
    worker,
    ...options
  }: Partial<FleetOptions> & { readonly data?: string; readonly worker?: WorkerRole } = {},
): Promise<SomeFleet> {
  const log = { info() {}, warn() {}, error() {} };
  const fleet = await Fleet.start({
    store: options.store ?? (await FleetStore.open(data, log)),
    ...{ scanners: facts, log, maxConnections: 64, bootMilliseconds: 100 },
    ...options,
  });
  const { gui, allowed } = options;
  const fleetPort = new FleetPort({
    ...{ host: '127.0.0.1', port: 0, maxConnections: 1000, freshFor: 0 },
    gui,
    allowed,
    worker,
  });
  const url = await fleetPort.open();
  fleetPort.serve(fleet);
  let ended: Promise<void> | undefined;
  const end = () => {
    fleetPort.close();
    ended ??= fleet.close();
    return ended;
  };
  onTestFinished(end);
  return { fleet, url, end };
}

/** The client's view of one scanner of a fleet. */
export function urlOf({ url }: SomeFleet, serial: string): string {
  return `${url}/scanners/${serial}`;
}
