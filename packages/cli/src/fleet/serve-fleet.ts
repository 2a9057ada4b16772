import { once } from 'node:events';
import type { Log } from '@azimuth/device';
import {
  Fleet,
  FleetPort,
  FleetStore,
  GatewayKey,
  macAddressesOf,
  type ScannerFacts,
  type WorkerRole,
} from '@azimuth/fleet';
import { PortTaken } from '@azimuth/http';
import { CommandFailure } from '../command-failure.js';
import { guiFolder } from '../gui/gui-folder.js';
import { ignoreClosedOutput, print, signals, untilInterrupted } from '../output/output.js';
import { logTo } from '../serve/log.js';
import { allowedOf, firmwareKeyOf, passwordsOfEnvironment } from '../serve/service-options.js';
import { connectionsFor, connectionsOfScanners } from './connection-limits.js';
import type { FirmwareKeyOptions, NameOptions } from './fleet-options.js';
import { openWholeStore, scannersOfPart } from './part-folders.js';
import { partKey } from './part-process.js';
import { type Reset, resetPasswords } from './reset-passwords.js';
import { ownPortProblem, readyText, started, warnIfOpenToOthers } from './start-reports.js';

export interface RunOptions extends NameOptions, FirmwareKeyOptions {
  readonly host: string;
  readonly port: number;
  readonly data: string;
  /** s. */
  readonly bootTime: number;
  /** To the ports of each scanner. */
  readonly maxConnections: number;
  /** The first of the ports that the scanners have of their own, if no file says it. */
  readonly ownPorts?: number;
  readonly json?: boolean;
}

/** The scanners that a process runs: a whole fleet, or a part of it. */
interface Served {
  readonly scanners: readonly ScannerFacts[];
  /** Those of the whole fleet. */
  readonly all: readonly ScannerFacts[];
  readonly openStore: (log: Log) => Promise<FleetStore>;
  /** Of a process that takes requests from the port of the fleet alone. */
  readonly role?: WorkerRole;
  /** Runs it until it is to end: by default, until a signal comes. */
  readonly until?: (act: (signal: AbortSignal) => Promise<void>) => Promise<unknown>;
  /** Is the ready line JSON? */
  readonly readyJson: boolean;
}

/** When a signal ends the port of a fleet. Whoever waits for Ctrl-C waits as long, if connections are open. */
export const drainTimes = { listens: 1000, responds: 5000 };

/** Runs scanners behind a port until it is to end. @throws CommandFailure if it cannot start */
async function serveFleet(served: Served, options: RunOptions): Promise<void> {
  const { scanners, all, openStore, role, readyJson, until = untilInterrupted } = served;
  const { host, port } = options;
  const connections = connectionsFor(scanners);
  const allowed = allowedOf(options);
  const firmwareKey = await firmwareKeyOf(options);
  await until(async (signal) => {
    const log = logTo(options.json === true ? 'json' : 'lines');
    const passwords = passwordsOfEnvironment(process.env);
    const began = performance.now();
    const ofScanners = connectionsOfScanners(scanners, connections);
    const fleetPort = new FleetPort({
      ...{ host, port, maxConnections: connections - ofScanners, gui: guiFolder, allowed },
      worker: role,
    });
    // Before the scanners open ports of their own: one of them could take it.
    const url = await started(() => fleetPort.open());
    let fleet: Fleet | undefined;
    try {
      fleet = await started(async () =>
        Fleet.start({
          scanners,
          store: await openStore(log),
          log,
          // Those of the whole fleet: they stay when a scanner moves to another part.
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
  scanners: readonly ScannerFacts[],
  options: RunOptions,
  reset: Reset,
): Promise<void> {
  await serveFleet(
    {
      scanners,
      all: scanners,
      openStore: async (log) => {
        const store = await openWholeStore(options.data, scanners, log);
        await resetPasswords(store, scanners, reset, log);
        return store;
      },
      readyJson: options.json === true,
    },
    options,
  );
}

/**
 * Runs a part of a fleet, as a process of `--processes` does, until a signal ends it, or the process that has started it ends.
 * @param all the scanners of the whole fleet: the folder of the part says which of them are its own
 * @throws CommandFailure if it cannot start
 */
export async function runPart(all: readonly ScannerFacts[], options: RunOptions): Promise<void> {
  const scanners = await scannersOfPart(options.data, all);
  await serveFleet(
    {
      scanners,
      all,
      openStore: (log) => FleetStore.open(options.data, log),
      role: roleOfPart(),
      until: untilParentEnds,
      // The process that has started it reads there how to reach it.
      readyJson: true,
    },
    options,
  );
}

/** A part answers only the process that has started it. */
function roleOfPart(): WorkerRole {
  const key = new GatewayKey(process.env[partKey] ?? '');
  return { key, owns: () => true, notReady: () => undefined, metrics: () => [] };
}

/**
 * Runs an action until the process that has started this one ends it, or ends itself. Signals that a terminal or a supervisor sends
 * to all processes of the fleet do not end a part: its scanners still answer what the port of the fleet has taken.
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
