import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type MeasuringCore, MemoryStorage, type Storage } from '@azimuth/device';
import type { Ports, ScannerService } from '@azimuth/server';
import type { FaultTimeline } from '@azimuth/simulation/faults';
import type { VirtualHardware } from '@azimuth/simulation/virtual-hardware';
import { SceneCore } from '@azimuth/simulation/world';

/** The parts of a scanner of a test that have a state. */
export interface RememberedParts {
  readonly service: ScannerService;
  readonly hardware: VirtualHardware;
  readonly faults: FaultTimeline;
  readonly storage: Storage;
  readonly core: MeasuringCore;
}

/** The state of a scanner at one moment. Give it to `restore`, as often as you like. */
export class Snapshot {
  readonly #of: ScannerService;
  readonly #putBack: () => Promise<void>;

  /** Takes a snapshot. @throws Error if something runs that cannot be put back, or if the scanner stores in a folder */
  constructor({ service, hardware, faults, storage, core }: RememberedParts) {
    this.#of = service;
    const { ports } = service;
    const putBackScanner = service.remember([
      rememberDocuments(storage),
      hardware.remember(),
      rememberWorld(core),
      faults.remember(),
    ]);
    this.#putBack = async () => {
      await putBackScanner();
      await portsOpen(service, ports);
    };
  }

  /** Puts the state back. @throws RangeError for another scanner */
  async restore(service: ScannerService): Promise<void> {
    if (service !== this.#of) throw new RangeError('the snapshot is one of another scanner');
    await this.#putBack();
  }
}

/** Number of passes of the event loop after which a port that is in use by now is no longer awaited. */
const mostPasses = 500;

/** Waits until the same ports are open. Settings that were put back may open some. */
async function portsOpen(service: ScannerService, ports: Ports): Promise<void> {
  for (let passes = 0; passes < mostPasses && !isDeepStrictEqual(service.ports, ports); passes++)
    await setImmediate();
}

function rememberDocuments(storage: Storage): () => void {
  if (!(storage instanceof MemoryStorage))
    throw new Error('a scanner with a folder has no snapshots: leave out the option folder');
  const documents = [...storage.documents];
  return () => {
    storage.documents.clear();
    for (const [name, content] of documents) storage.documents.set(name, content);
  };
}

/** The scene with its actors, and how its vehicles drive. Time in it goes on. */
function rememberWorld(core: MeasuringCore): () => void {
  return core instanceof SceneCore ? core.world.remember() : () => undefined;
}
