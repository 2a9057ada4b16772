import { join } from 'node:path';
import {
  DowngradeRefused,
  FolderInUse,
  FolderStorage,
  openFactoryPasswords,
  SystemClock,
  SystemRandom,
  virtualIdentity,
} from '@azimuth/device';
import { isRelease, isVariant, type Variant } from '@azimuth/model';
import { PortTaken, ScannerService, VirtualHost } from '@azimuth/server';
import type { Command } from 'commander';
import { flagsWithoutEffect } from '../commands/serve.js';
import { logTo } from './log.js';
import { type Passwords, passwordsOfEnvironment } from './option-values.js';
import { readyLine, welcome } from './ready.js';

interface Options {
  readonly host: string;
  readonly port: number;
  readonly data?: string;
  readonly firmware?: string;
  readonly variant: string;
  readonly serial: string;
  readonly password: Passwords;
  readonly enableWebserver?: boolean;
  readonly bootTime: number;
  readonly maxConnections: number;
  readonly rateLimit?: number;
  readonly network: string;
  readonly controlPort?: number;
  readonly json?: boolean;
}

/** Runs a scanner until a signal ends it. Refusals to start are one clear line and exit code 1. */
export async function serve(command: Command): Promise<void> {
  const options = command.opts<Options>();
  if (!/^[A-Za-z0-9]{1,9}$/.test(options.serial))
    command.error('error: --serial takes up to 9 letters and digits');
  const log = logTo(options.json ? 'json' : 'lines');
  for (const flag of flagsWithoutEffect) {
    if (command.getOptionValueSource(flag) !== undefined) {
      log.warn('This option has no effect: what it is for is not built yet', { option: flag });
    }
  }
  if (options.network === 'rebind') log.warn('--network rebind is not built yet: addresses are simulated');
  const folder = options.data ?? join('azimuth-data', options.serial);
  try {
    const storage = await FolderStorage.open(folder);
    const service = await ScannerService.start(serviceFacts(options, storage, new VirtualHost(log)));
    endOnSignal(service);
    const facts = { ...service.ports, pid: process.pid };
    process.stdout.write(
      options.json
        ? readyLine(facts)
        : welcome({ host: options.host, folder, device: service.device, ports: service.ports }),
    );
    const levels = openFactoryPasswords(service.device);
    if (levels.length > 0) {
      log.warn('Factory passwords are in force: set others with --password, or AZIMUTH_PASSWORD_<LEVEL>', {
        levels,
      });
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
    process.stderr.write(`azimuth: ${error.message}\n`);
    // An open lock or listener would keep the process alive.
    process.exit(1);
  }
}

function serviceFacts(options: Options, storage: FolderStorage, host: VirtualHost) {
  const { firmware, rateLimit, controlPort } = options;
  return {
    clock: new SystemClock(),
    host,
    device: {
      identity: virtualIdentity(options.serial),
      random: new SystemRandom(),
      storage,
      variant: variantOf(options.variant),
      bootMilliseconds: options.bootTime * 1000,
      passwords: { ...passwordsOfEnvironment(process.env), ...options.password },
      enableWebserver: options.enableWebserver ?? false,
      ...(firmware !== undefined && isRelease(firmware) ? { release: firmware } : {}),
    },
    web: {
      host: options.host,
      port: options.port,
      maxConnections: options.maxConnections,
      ...(rateLimit === undefined ? {} : { rateLimit }),
    },
    ...(controlPort === undefined ? {} : { controlPort }),
  };
}

function variantOf(name: string): Variant {
  return isVariant(name) ? name : 'full';
}

function endOnSignal(service: ScannerService): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void service.close().finally(() => process.exit(0));
    });
  }
}

function isRefusal(error: unknown): error is Error {
  if (error instanceof PortTaken || error instanceof FolderInUse || error instanceof DowngradeRefused)
    return true;
  // The folder cannot be made, read or written: a person's matter too.
  return error instanceof Error && 'syscall' in error;
}
