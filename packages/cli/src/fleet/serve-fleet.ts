import { once } from 'node:events';
import type { Log } from '@azimuth/device';
import {
  Fleet,
  FleetPort,
  FleetStore,
  GatewayKey,
  type MemberFacts,
  macAddressesOf,
  type WorkerRole,
} from '@azimuth/fleet';
import { PortTaken } from '@azimuth/http';
import { guiFolder } from '@azimuth/server/pages';
import { CommandFailure } from '../command-failure.js';
import { ignoreClosedOutput, print, signals, untilInterrupted } from '../output/output.js';
import { logTo } from '../serve/log.js';
import { allowedClients, passwordsOfEnvironment, readFirmwareKey } from '../serve/service-options.js';
import { adoptionFor } from './adoption.js';
import { connectionsFor, connectionsOfScanners } from './connection-limits.js';
import type { FirmwareKeyOptions, NameOptions } from './fleet-options.js';
import { openMergedStore, scannersOfPart } from './part-folders.js';
import { partKey } from './part-process.js';
import { type Reset, resetPasswords } from './reset-passwords.js';
import { ownPortProblem, readyText, started, warnIfOpenToOthers } from './start-reports.js';

export interface RunOptions extends NameOptions, FirmwareKeyOptions {
  readonly host: string;
  readonly port: number;
  readonly data: string;
  /** s. */
  readonly bootTime: number;
  /** Connections to the ports of each scanner. */
  readonly maxConnections: number;
  /** The first own port of the scanners, if no file sets it. */
  readonly ownPorts?: number;
  readonly json?: boolean;
}

/** The scanners of a process: a whole fleet, or a part of it. */
interface Served {
  readonly scanners: readonly MemberFacts[];
  /** Serial numbers of the whole fleet. */
  readonly all: readonly MemberFacts[];
  readonly openStore: (log: Log) => Promise<FleetStore>;
  /** Set for a process that accepts requests from the port of the fleet only. */
  readonly role?: WorkerRole;
  /** Waits for the end: by default, for a signal. */
  readonly until?: (act: (signal: AbortSignal) => Promise<void>) => Promise<unknown>;
  /** True if the ready line is JSON. */
  readonly readyJson: boolean;
}

/** Time limits of the port of a fleet after a signal. If connections are open, Ctrl-C takes as long. */
export const drainTimes = { listens: 1000, responds: 5000 };

/** Runs scanners behind a port until the end. @throws CommandFailure if it cannot start */
async function serveFleet(served: Served, options: RunOptions): Promise<void> {
  const { scanners, all, openStore, role, readyJson, until = untilInterrupted } = served;
  const { host, port } = options;
  const connections = connectionsFor(scanners);
  const allowed = allowedClients(options);
  const firmwareKey = await readFirmwareKey(options);
  await until(async (signal) => {
    const log = logTo(options.json === true ? 'json' : 'lines');
    const passwords = passwordsOfEnvironment(process.env);
    const began = performance.now();
    const ofScanners = connectionsOfScanners(scanners, connections);
    const fleetPort = new FleetPort({
      ...{ host, port, maxConnections: connections - ofScanners, gui: guiFolder, allowed },
      worker: role,
    });
    // Before the scanners open ports of their own: one of them could use it.
    const url = await started(() => fleetPort.open());
    let fleet: Fleet | undefined;
    try {
      fleet = await started(async () =>
        Fleet.start({
          scanners,
          adoption: await adoptionFor(scanners, () => [{ host, port: fleetPort.socket.port }]),
          store: await openStore(log),
          log,
          // Those of the whole fleet: they do not change when a scanner moves to another part.
          macAddresses: macAddressesOf(all.map(({ serial }) => serial)),
          gui: guiFolder,
          maxConnections: options.maxConnections,
          maxConnectionsTogether: ofScanners,
          bootMilliseconds: options.bootTime * 1000,
          passwords,
          allowed,
          firmwareKey,
        }).catch((error: unknown) => {
          const problem =
            error instanceof PortTaken
              ? ownPortProblem(error, scanners, options.ownPorts !== undefined)
              : undefined;
          throw problem === undefined ? error : new CommandFailure(problem);
        }),
      );
      fleet.errors.outlive();
      fleetPort.serve(fleet);
      const milliseconds = Math.round(performance.now() - began);
      await print(readyText({ url, scanners, milliseconds, json: readyJson }), signal);
      warnIfOpenToOthers(log, { host, scanners, passwords });
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      if (fleet === undefined) fleetPort.close();
      else await fleetPort.drain(drainTimes);
      await fleet?.close();
      await log.close();
    }
  });
}

/** Runs a fleet in this process until a signal ends it. @throws CommandFailure if it cannot start */
export async function runFleet(
  scanners: readonly MemberFacts[],
  options: RunOptions,
  reset: Reset,
): Promise<void> {
  await serveFleet(
    {
      scanners,
      all: scanners,
      openStore: async (log) => {
        const store = await openMergedStore(options.data, scanners, log);
        await resetPasswords(store, scanners, reset, log);
        return store;
      },
      readyJson: options.json === true,
    },
    options,
  );
}

/**
 * Runs a part of a fleet, as a process of `--processes`, until a signal ends it, or its parent process ends it.
 * @param all the scanners of the whole fleet: the folder of the part lists its own
 * @throws CommandFailure if it cannot start
 */
export async function runPart(all: readonly MemberFacts[], options: RunOptions): Promise<void> {
  const scanners = await scannersOfPart(options.data, all);
  await serveFleet(
    {
      scanners,
      all,
      openStore: (log) => FleetStore.open(options.data, log),
      role: roleOfPart(),
      until: untilParentEnds,
      // The parent process reads its address there.
      readyJson: true,
    },
    options,
  );
}

/** Accepts requests of the parent process only. */
function roleOfPart(): WorkerRole {
  const key = new GatewayKey(process.env[partKey] ?? '');
  return { key, owns: () => true, notReady: () => undefined, metrics: () => [] };
}

/**
 * Runs an action until the parent process ends it, or ends itself. Signals that a terminal or a supervisor sends to
 * all processes of the fleet do not end a part: its scanners still answer the accepted requests of the port of the
 * fleet.
 */
async function untilParentEnds(act: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const over = new AbortController();
  process.stdin.once('end', () => over.abort()).resume();
  // It does not keep this process running.
  process.stdin.unref();
  for (const name of signals) process.on(name, ignore);
  ignoreClosedOutput();
  await act(over.signal);
}

function ignore(): void {}
