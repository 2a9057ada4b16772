import { once } from 'node:events';
import { FolderInUse } from '@azimuth/device';
import {
  DamagedJournal,
  Fleet,
  FleetStore,
  FrontPort,
  GatewayKey,
  macAddressesOf,
  type UnitFacts,
  type WorkerRole,
} from '@azimuth/fleet';
import { PortTaken } from '@azimuth/server';
import { CommandFailure } from '../command-failure.js';
import { guiFolder } from '../gui/gui-folder.js';
import { print, untilInterrupted } from '../output.js';
import { logTo } from '../serve/log.js';
import { affordableConnections } from '../serve/open-files.js';
import { allowedOf, firmwareKeyOf, passwordsOfEnvironment } from '../serve/service-options.js';
import { systemWordsOf } from '../system-error.js';
import type { FirmwareKeyOptions, NameOptions } from './front-options.js';
import { warnIfOpenToOthers } from './open-to-others.js';
import { openWholeStore, unitsOfPart } from './part-folders.js';
import { ownPortProblem } from './port-owner.js';
import { partKey } from './worker-process.js';

export interface RunOptions extends NameOptions, FirmwareKeyOptions {
  readonly host: string;
  readonly port: number;
  readonly data: string;
  /** s. */
  readonly bootTime: number;
  /** Is it one of several processes, whose folder says which of the scanners are its own? */
  readonly part?: boolean;
  /** The first of the ports that the scanners have of their own, if no file says it. */
  readonly ownPorts?: number;
  readonly json?: boolean;
}

/** Connections of one scanner. */
export const mostConnections = 64;
/** Listeners of a scanner with ports of its own. */
const listenersEach = 3;

/** Runs a fleet until a signal ends it. @throws CommandFailure if it cannot start */
export async function runFleet(all: readonly UnitFacts[], options: RunOptions): Promise<void> {
  const { host, port, data, part = false } = options;
  const units = part ? await unitsOfPart(data, all) : all;
  const connections = connectionsFor(units);
  const allowed = allowedOf(options);
  const firmwareKey = await firmwareKeyOf(options);
  if (part) endWithParent();
  await untilInterrupted(async (signal) => {
    const log = logTo(options.json === true ? 'json' : 'lines');
    const passwords = passwordsOfEnvironment(process.env);
    const began = performance.now();
    const own = Math.floor(connections * (hasOwnPorts(units) ? 0.5 : 0.1));
    const front = new FrontPort({
      ...{ host, port, maxConnections: connections - own, gui: guiFolder, allowed },
      ...(part ? { worker: roleOfPart() } : {}),
    });
    // Before the scanners open ports of their own: one of them could take it.
    const url = await started(() => front.open());
    let fleet: Fleet | undefined;
    try {
      fleet = await started(async () =>
        Fleet.start({
          units,
          store: part ? await FleetStore.open(data, log) : await openWholeStore(data, all, log),
          log,
          // Those of the whole fleet: they stay when a scanner moves to another process.
          macAddresses: macAddressesOf(all.map(({ serial }) => serial)),
          gui: guiFolder,
          maxConnections: mostConnections,
          maxConnectionsTogether: own,
          bootMilliseconds: options.bootTime * 1000,
          passwords,
          allowed,
          ...(firmwareKey === undefined ? {} : { firmwareKey }),
        }).catch((error: unknown) => {
          const problem =
            error instanceof PortTaken
              ? ownPortProblem(error, units, options.ownPorts !== undefined)
              : undefined;
          throw problem === undefined ? error : new CommandFailure(problem);
        }),
      );
      fleet.errors.outlive();
      front.serve(fleet);
      const milliseconds = Math.round(performance.now() - began);
      await print(readyText({ url, units, milliseconds, json: part || options.json }), signal);
      warnIfOpenToOthers(log, { host, units, passwords });
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      front.close();
      await fleet?.close();
      await log.close();
    }
  });
}

/** Without ports of their own, scanners have only those from which a client reads a data stream over TCP. */
function hasOwnPorts(units: readonly UnitFacts[]): boolean {
  return units.some(({ ports }) => ports !== undefined);
}

/** A process that runs a part of a fleet answers the one that has started it alone. */
function roleOfPart(): WorkerRole {
  const key = new GatewayKey(process.env[partKey] ?? '');
  return { key, owns: () => true, notReady: () => undefined, metrics: () => '' };
}

/** A process that runs a part of a fleet is of no use without the one that has started it. */
function endWithParent(): void {
  process.stdin.once('end', () => process.kill(process.pid, 'SIGTERM')).resume();
  // Nor does it keep this one running.
  process.stdin.unref();
}

interface Ready {
  readonly url: string;
  readonly units: readonly UnitFacts[];
  readonly milliseconds: number;
  readonly json?: boolean | undefined;
}

/** What is printed when all scanners are ready. */
export function readyText({ url, units, milliseconds, json }: Ready): string {
  const { length: scanners } = units;
  if (json === true)
    return `${JSON.stringify({ ready: true, url, scanners, milliseconds, pid: process.pid })}\n`;
  const path = `${url}/scanners/${units[0]?.serial}`;
  return `Azimuth: ${scanners} scanners are ready, after ${milliseconds} ms.
  list     ${url}/scanners, and ${url}/ in a browser
  one      ${path}/api, and ${path}/ in a browser
  try      azimuth get DeviceIdent --device ${path}
`;
}

/** Connections that this process can have open beside the listeners of its scanners. */
export function connectionsFor(units: readonly UnitFacts[]): number {
  const affordable = affordableConnections();
  const listeners = units.filter(({ ports }) => ports !== undefined).length * listenersEach;
  if (affordable === undefined) return 10_000;
  if (affordable > listeners + 100) return Math.min(10_000, affordable - listeners);
  throw new CommandFailure(
    `${units.length} scanners with ports of their own need ${listeners + 100} open files, and this process may have ${affordable}: raise the limit with ulimit -n, or leave out port and address`,
  );
}

export async function started<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof PortTaken || error instanceof FolderInUse || error instanceof DamagedJournal)
      throw new CommandFailure(error.message);
    if (error instanceof Error && 'syscall' in error) throw new CommandFailure(systemWordsOf(error));
    throw error;
  }
}
