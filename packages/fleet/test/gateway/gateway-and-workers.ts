import { createServer, type RequestListener, type Server } from 'node:http';
import { Scanner } from '@azimuth/client';
import { gauge } from '@azimuth/http';
import { temporaryFolder } from '@azimuth/test-support/files';
import { listening } from '@azimuth/test-support/listening';
import { scannerFacts } from '@azimuth/test-support/some-fleet';
import { onTestFinished } from 'vitest';
import {
  Fleet,
  FleetPort,
  FleetStore,
  Gateway,
  GatewayKey,
  type GatewayOptions,
  type ScannerFacts,
  type WorkerAddress,
  WorkerConnections,
} from '../../src/index.js';

/** The key of the deployment. */
export const key = new GatewayKey('a key of the deployment');
const log = { info() {}, warn() {}, error() {} };

export interface Worker extends WorkerAddress {
  readonly fleet: Fleet;
}

/** A worker that runs these scanners, and accepts requests that are signed with the key. It ends with the test. */
export async function worker(facts: readonly ScannerFacts[]): Promise<Worker> {
  const store = await FleetStore.open(temporaryFolder(), log);
  const fleet = await Fleet.start({ scanners: facts, store, log, maxConnections: 64, bootMilliseconds: 100 });
  const role = {
    key,
    owns: () => true,
    notReady: () => undefined,
    metrics: () => [gauge('azimuth_test', 'For a test.', 1)],
  };
  const port = new FleetPort({ host: '127.0.0.1', port: 0, maxConnections: 100, freshFor: 0, worker: role });
  const url = await port.open();
  port.serve(fleet);
  onTestFinished(async () => {
    port.close();
    await fleet.close();
  });
  return { url, fleet };
}

/** A server in place of a worker. */
export function standIn(listener: RequestListener): Promise<WorkerAddress> {
  return addressOf(createServer(listener));
}

/** Opens the port of a stand-in for a worker, which ends with the test. @param port 0 for any free one */
export async function addressOf(server: Server, port = 0): Promise<WorkerAddress> {
  return { url: `http://127.0.0.1:${await listening(server, port)}` };
}

/** An address at which no server listens. */
export const nowhere: WorkerAddress = { url: 'http://127.0.0.1:9' };

export interface SomeGateway {
  readonly url: string;
  readonly gateway: Gateway;
  /** The owner of each scanner, by its serial number. */
  readonly owners: Map<string, WorkerAddress>;
  /** Called at each refresh of the gateway's routes. */
  onRefresh: () => void;
}

/**
 * A gateway to these workers, for the scanners 1, 2, 3 … No worker has a scanner until `owners` says so. It ends with the
 * test.
 */
export async function gatewayTo(
  workers: readonly WorkerAddress[],
  count: number,
  { patience = 2000, ...options }: Partial<GatewayOptions> = {},
): Promise<SomeGateway> {
  const owners = new Map<string, WorkerAddress>();
  const scanners = scannerFacts(count).map(({ serial, group }) => ({ serial, group, release: '2.4.4' }));
  const gateway = new Gateway({
    host: '127.0.0.1',
    port: 0,
    maxConnections: 100,
    freshFor: 0,
    routes: {
      scanners: new Map(scanners.map((one) => [one.serial, one])),
      workers,
      workerOf: (serial) => owners.get(serial),
      refresh: async () => {
        some.onRefresh();
        await new Promise(setImmediate);
      },
    },
    connections: new WorkerConnections({ key }),
    log,
    patience,
    ...options,
  });
  const some = { url: await gateway.open(), gateway, owners, onRefresh: () => undefined };
  onTestFinished(() => gateway.close());
  return some;
}

/** The client's view of one scanner. */
export function scannerOf({ url }: SomeGateway, serial: string): Scanner {
  return new Scanner({ url: `${url}/scanners/${serial}`, password: 'servicelevel' });
}
