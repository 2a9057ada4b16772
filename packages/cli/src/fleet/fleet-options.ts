import { Option } from 'commander';
import type { Command } from '../options/command.js';
import { collect, localRightsOptions } from '../options/option-values.js';

/** Options of the port of a fleet about its names. */
export interface NameOptions {
  readonly allowedHost: readonly string[];
  readonly allowedOrigin: readonly string[];
  readonly localRights?: boolean;
}

export function withNames(command: Command): Command {
  for (const option of localRightsOptions()) command.addOption(option);
  return command
    .addOption(
      new Option(
        '--allowed-host <name>',
        'name of a host by which it may be called, beside its addresses; .NAME for all names below it; several times',
      )
        .default([])
        .env('AZIMUTH_ALLOWED_HOST')
        .argParser(collect),
    )
    .addOption(
      new Option('--allowed-origin <origin>', 'origin of web pages elsewhere that may use it; several times')
        .default([])
        .env('AZIMUTH_ALLOWED_ORIGIN')
        .argParser(collect),
    );
}

/** Options of processes that run scanners of a fleet. */
export interface FirmwareKeyOptions {
  readonly firmwareKey?: string;
}

export function withFirmwareKey(command: Command): Command {
  return command.addOption(
    new Option(
      '--firmware-key <file>',
      'public key (PEM) with which the scanners check the signatures of firmware files',
    ).env('AZIMUTH_FIRMWARE_KEY'),
  );
}
