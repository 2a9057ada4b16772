import { once } from 'node:events';
import { FleetPort, GatewayKey } from '@azimuth/fleet';
import { checkSchema, limitsOfSaves } from '@azimuth/fleet/database';
import { socketIdOf, Worker } from '@azimuth/fleet/worker';
import { counted } from '@azimuth/model';
import { guiFolder } from '@azimuth/server/pages';
import { CommandFailure } from '../command-failure.js';
import {
  databaseFromOptions,
  deploymentKeys,
  fromDatabase,
  type KeyOptions,
  leaseDatabase,
  type StoreOptions,
} from '../database/database-options.js';
import { maxFileBytes, readTextFile } from '../input/bounded-file.js';
import { print, untilInterrupted } from '../output/output.js';
import { logTo } from '../serve/log.js';
import { passwordsOfEnvironment, readFirmwareKey } from '../serve/service-options.js';
import { adoption } from './adoption.js';
import { scannersOfApplied } from './applied-fleet.js';
import { connectionsFor, maxConnectionsEach } from './connection-limits.js';
import type { FirmwareKeyOptions } from './fleet-options.js';
import { started, warnIfOpenToOthers } from './start-reports.js';

/** Time limits after its scanners have moved: it still listens, so that gateways learn of it. */
const drainTimes = { listens: 500, responds: 2000 };

export interface WorkerCommandOptions extends StoreOptions, KeyOptions, TlsOptions, FirmwareKeyOptions {
  readonly host: string;
  readonly port: number;
  readonly advertise?: string;
  readonly capacity: number;
  /** s. */
  readonly lease: number;
  /** s. */
  readonly bootTime: number;
  readonly json?: boolean;
}

/** Runs scanners of the fleet in the database until a signal ends it. @throws CommandFailure if it cannot start */
export async function runWorker(options: WorkerCommandOptions): Promise<void> {
  const { host, port, capacity, advertise, json } = options;
  const keys = await deploymentKeys(options);
  const tls = await readTlsFiles(options);
  const firmwareKey = await readFirmwareKey(options);
  await untilInterrupted(async (signal) => {
    const log = logTo(json === true ? 'json' : 'lines');
    const database = databaseFromOptions(options, 'azimuth worker', log, limitsOfSaves(options.lease * 1000));
    const forLeases = leaseDatabase(options, 'azimuth worker', log, options.lease);
    let worker: Worker | undefined;
    let url = '';
    const fleetPort = new FleetPort({
      host,
      port,
      maxConnections: connectionsFor([]),
      gui: guiFolder,
      tls,
      worker: {
        key: new GatewayKey(...keys),
        advertised: () => url,
        owns: (serial) => worker?.owns(serial) === true,
        notReady: () => (worker === undefined ? 'The worker is starting.' : worker.notReady()),
        metrics: () => worker?.metrics() ?? [],
      },
    });
    try {
      const own = await started(() => fleetPort.open());
      url = urlFor(advertise, own);
      const socketId = await socketIdOf({ url, ...fleetPort.socket });
      worker = await fromDatabase(async () => {
        await checkSchema(database);
        return Worker.start({
          database,
          forLeases,
          log,
          keys,
          url,
          socketId,
          capacity,
          leaseMilliseconds: options.lease * 1000,
          read: scannersOfApplied,
          adoption: await adoption(() => [{ host, port: fleetPort.socket.port }], keys),
          gui: guiFolder,
          maxConnections: maxConnectionsEach,
          bootMilliseconds: options.bootTime * 1000,
          passwords: passwordsOfEnvironment(process.env),
          firmwareKey,
        });
      });
      worker.fleet.errors.outlive();
      fleetPort.serve(worker.fleet);
      const passwords = passwordsOfEnvironment(process.env);
      // Gateways open it to others, unless its own port is for this computer alone.
      warnIfOpenToOthers(log, {
        host,
        scanners: [...worker.fleet.members.values()].map(({ facts }) => facts),
        passwords,
      });
      const { length: shards } = worker.leases.held;
      const { size: scanners } = worker.fleet.members;
      await print(
        json === true
          ? `${JSON.stringify({ ready: true, url, scanners, shards, pid: process.pid })}\n`
          : `Azimuth: a worker for ${counted(capacity, 'scanner')} at ${url}. It runs ${scanners} now, and more when others end.\n`,
        signal,
      );
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      // Started requests are answered; gateways search for the next worker.
      try {
        await worker?.close();
      } finally {
        if (worker === undefined) fleetPort.close();
        else await fleetPort.drain(drainTimes);
        await Promise.all([database.close(), forLeases.close()]);
        await log.close();
      }
    }
  });
}

/** A worker that listens at all addresses does not know which one others can use. */
function urlFor(advertise: string | undefined, own: string): string {
  const url = advertise ?? own;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandFailure(`--advertise: expected a URL like http://10.0.0.7:9000, got "${url}"`);
  const { hostname, origin } = new URL(url);
  if (hostname === '0.0.0.0' || hostname === '[::]')
    throw new CommandFailure(
      '--advertise: give the URL at which gateways reach this worker, as http://10.0.0.7:9000',
    );
  return origin;
}

interface TlsOptions {
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/** A certificate with its chain, and its private key: PEM. */
interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** @throws CommandFailure if only one of the files is named, or one cannot be read */
async function readTlsFiles({ tlsCert, tlsKey }: TlsOptions): Promise<TlsFiles | undefined> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new CommandFailure('--tls-cert and --tls-key belong together: give both, or none');
  const [cert, key] = await Promise.all([
    readTextFile(tlsCert, { limit: maxFileBytes.pem }),
    readTextFile(tlsKey, { limit: maxFileBytes.pem }),
  ]);
  return { cert, key };
}
