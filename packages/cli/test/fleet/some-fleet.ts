import { Fleet, FleetStore, FrontPort, type UnitFacts } from '@azimuth/fleet';
import { readyScene } from '@azimuth/world/scene';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../../tests/support/files.js';

const scene = readyScene('empty-room');

/** Facts of scanners with the serial numbers 1, 2, 3 … */
export function units(
  count: number,
  of: (number: number) => Partial<UnitFacts> = () => ({}),
): readonly UnitFacts[] {
  return Array.from({ length: count }, (_, index) => ({
    ...{ serial: String(index + 1), group: 'hall', variant: 'full', scene, seed: index, parameters: {} },
    ...of(index + 1),
  }));
}

export interface SomeFleet {
  readonly fleet: Fleet;
  /** Of its port. */
  readonly url: string;
}

/** A fleet in this process, which ends with the test. */
export async function someFleet(facts: readonly UnitFacts[]): Promise<SomeFleet> {
  const log = { info() {}, warn() {}, error() {} };
  const store = await FleetStore.open(temporaryFolder(), log);
  const fleet = await Fleet.start({ store, units: facts, log, maxConnections: 64, bootMilliseconds: 100 });
  const front = new FrontPort({ host: '127.0.0.1', port: 0, maxConnections: 1000 });
  onTestFinished(() => {
    front.close();
    return fleet.close();
  });
  const url = await front.open();
  front.serve(fleet);
  return { fleet, url };
}
