import { once } from 'node:events';
import { Gateway, GatewayKey, WorkerConnections } from '@azimuth/fleet';
import { checkSchema, DatabaseRoutes } from '@azimuth/fleet/database';
import { counted } from '@azimuth/model';
import { guiFolder } from '@azimuth/server/pages';
import {
  databaseFromOptions,
  deploymentKeys,
  fromDatabase,
  type KeyOptions,
  type StoreOptions,
} from '../database/database-options.js';
import { maxFileBytes, readTextFile } from '../input/bounded-file.js';
import { print, untilInterrupted } from '../output/output.js';
import { logTo } from '../serve/log.js';
import { allowedClients } from '../serve/service-options.js';
import { scannersOfApplied } from './applied-fleet.js';
import { connectionsFor } from './connection-limits.js';
import type { NameOptions } from './fleet-options.js';
import { limitGarbage } from './garbage.js';
import { started } from './start-reports.js';

export interface GatewayCommandOptions extends StoreOptions, KeyOptions, NameOptions {
  readonly host: string;
  readonly port: number;
  readonly tlsAuthority?: string;
  /** s. */
  readonly patience: number;
  readonly json?: boolean;
}

/**
 * Time limits after a signal. Together with the 5 s before the signal, they are below the 60 s after which Kubernetes
 * kills a gateway.
 */
const drainTimes = { listens: 5000, responds: 25_000 };

/** Runs a gateway until a signal ends it. @throws CommandFailure if it cannot start */
export async function runGateway(options: GatewayCommandOptions): Promise<void> {
  const { host, port, json, tlsAuthority } = options;
  const key = new GatewayKey(...(await deploymentKeys(options)));
  const authority =
    tlsAuthority === undefined ? undefined : await readTextFile(tlsAuthority, { limit: maxFileBytes.pem });
  limitGarbage();
  const allowed = allowedClients(options);
  await untilInterrupted(async (signal) => {
    const log = logTo(json === true ? 'json' : 'lines');
    const database = databaseFromOptions(options, 'azimuth gateway', log, { connections: 2 });
    let routes: DatabaseRoutes | undefined;
    let gateway: Gateway | undefined;
    try {
      routes = await fromDatabase(async () => {
        await checkSchema(database);
        return DatabaseRoutes.open({
          ...{ database, log, read: scannersOfApplied },
          onlySecure: authority !== undefined,
        });
      });
      gateway = new Gateway({
        host,
        port,
        allowed,
        maxConnections: connectionsFor([]),
        routes,
        log,
        connections: new WorkerConnections({ key, authority }),
        gui: guiFolder,
        patience: options.patience * 1000,
        hasOwnMetrics: true,
      });
      const opened = gateway;
      const url = await started(() => opened.open());
      gateway.errors.outlive();
      const { size: scanners } = routes.scanners;
      const { length: workers } = routes.workers;
      await print(
        json === true
          ? `${JSON.stringify({ ready: true, url, scanners, workers, pid: process.pid })}\n`
          : `Azimuth: ${counted(scanners, 'scanner')} of ${counted(workers, 'worker')} at ${url}/scanners, and ${url}/ in a browser.\n`,
        signal,
      );
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      await gateway?.drain(drainTimes);
      await routes?.close();
      await database.close();
      await log.close();
    }
  });
}
