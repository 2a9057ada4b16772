import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import {
  FolderStorage,
  isSerialNumber,
  type Log,
  openFactoryPasswords,
  RecentLog,
  SystemClock,
  SystemRandom,
} from '@azimuth/device';
import { ScannerService } from '@azimuth/server';
import { VirtualHost } from '@azimuth/world';
import type { Command } from 'commander';
import { outliveReaders } from '../broken-pipe.js';
import { CommandFailure } from '../command-failure.js';
import { printable } from '../printable.js';
import { coreOf } from './core.js';
import { logTo, type ServiceLog } from './log.js';
import { affordableConnections } from './open-files.js';
import { settleSwitches } from './option-values.js';
import { passwordsOf, passwordsOfEnvironment } from './passwords.js';
import { readyLine, welcome } from './ready.js';
import { refusalOf } from './refusal.js';
import { allowedOf, type Options, serviceFacts, usualSerial } from './service-facts.js';

/** Runs a scanner until a signal ends it. Refusals to start are one clear line and exit code 1. */
export async function serve(command: Command): Promise<void> {
  settleSwitches(command);
  const options = command.opts<Options>();
  if (options.serial !== undefined && !isSerialNumber(options.serial))
    throw new CommandFailure('--serial takes up to 9 letters and digits');
  if (options.data === '') throw new CommandFailure('--data takes the name of a folder');
  const passwords = { ...passwordsOfEnvironment(process.env), ...passwordsOf(options.password) };
  const allowed = allowedOf(options);
  const firmwareKey = await firmwareKeyOf(options);
  outliveReaders();
  const written = logTo(options.json ? 'json' : 'lines');
  const clock = new SystemClock();
  // From the first line on, for diagnostic archives.
  const log = new RecentLog(written, clock);
  const random = new SystemRandom();
  const core = await coreOf(options, { clock, log, random });
  const folder = options.data ?? join('azimuth-data', options.serial ?? usualSerial);
  try {
    const storage = await FolderStorage.open(folder, log);
    const service = await ScannerService.start(
      serviceFacts(
        { ...options, maxConnections: connectionsOf(options, log) },
        { passwords, firmwareKey, core, allowed },
        storage,
        { clock, random, host: new VirtualHost(log) },
      ),
    );
    service.outliveErrors();
    endOnSignal(service, written);
    const facts = { ...service.ports, pid: process.pid };
    process.stdout.write(options.json ? readyLine(facts) : welcome({ folder, service }));
    const { rest, legacy } = openFactoryPasswords(service.device);
    const levels = [...new Set([...rest, ...legacy])];
    if (levels.length > 0) {
      log.warn('Factory passwords are in force: set others with --password, or AZIMUTH_PASSWORD_<LEVEL>', {
        levels,
      });
    }
  } catch (error) {
    const refusal = refusalOf(error, folder);
    if (refusal === undefined) throw error;
    await written.close();
    process.stderr.write(`azimuth: ${printable(refusal)}\n`);
    // An open lock or listener would keep the process alive.
    process.exit(1);
  }
}

/** As many as are wanted, or as many as can be opened: connections that the system refuses could not even be told so. */
function connectionsOf({ maxConnections }: Options, log: Log): number {
  const affordable = affordableConnections();
  if (affordable === undefined || affordable >= maxConnections) return maxConnections;
  log.warn('This process may have too few files open for --max-connections: more are told that it is full', {
    wanted: maxConnections,
    connections: affordable,
  });
  return affordable;
}

/** @throws CommandFailure for a file that holds no public key */
async function firmwareKeyOf({ firmwareKey }: Options): Promise<KeyObject | undefined> {
  if (firmwareKey === undefined) return undefined;
  const { publicKeyIn } = await import('../firmware/keys.js');
  return publicKeyIn('--firmware-key', firmwareKey);
}

function endOnSignal(service: ScannerService, log: ServiceLog): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void service
        .close()
        .finally(() => log.close())
        .finally(() => process.exit(0));
    });
  }
}
