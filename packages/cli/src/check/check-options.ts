import { type Stage, stages } from '@azimuth/check';
import { searchPort } from '@azimuth/telegrams/device-search';
import { InvalidArgumentError } from 'commander';
import type { DeviceOptions } from '../options/command.js';

/** Host and port of a wire. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Options of `azimuth check`, as given. */
export interface CheckOptions extends DeviceOptions {
  readonly write?: boolean;
  readonly lock?: boolean;
  readonly reboot?: boolean;
  readonly destructive?: boolean;
  /** URL of the control port. */
  readonly core?: string;
  readonly only?: readonly string[];
  readonly list?: boolean;
  readonly profile?: string;
  readonly product?: string;
  readonly passwords?: string;
  /** Longest pause of a case in s. */
  readonly patience?: number;
  /** Firmware that a destructive check may install. */
  readonly firmware?: string;
  /** URL of HTTPS. */
  readonly https?: string;
  /** False if the legacy protocol is not to be used. */
  readonly legacy: boolean;
  readonly legacyA?: Endpoint;
  readonly legacyB?: Endpoint;
  /** True for the usual port at the scanner's host. */
  readonly search?: true | Endpoint;
  /** False if nothing is to be received. */
  readonly streams: boolean;
  readonly receiveAt?: string;
  readonly yes?: boolean;
  readonly progress?: boolean;
}

/** Returns the stages that the options permit, in their order. Reading is always permitted. */
export function stagesOf(options: CheckOptions): ReadonlySet<Stage> {
  const isPermitted: Readonly<Record<Stage, boolean>> = {
    read: true,
    write: options.write === true,
    lock: options.lock === true,
    reboot: options.reboot === true,
    destructive: options.destructive === true,
    core: options.core !== undefined,
  };
  return new Set(stages.filter((stage) => isPermitted[stage]));
}

/** Parses HOST:PORT, also with an IPv6 address in brackets. */
export function endpointOption(typed: string): Endpoint {
  const [, host = '', digits = ''] = /^(\[[\da-f:.]+\]|[^\s:/]+):(\d{1,5})$/i.exec(typed) ?? [];
  const port = Number(digits);
  if (host === '' || port < 1 || port > 65_535)
    throw new InvalidArgumentError('Expected HOST:PORT, for example 192.168.0.1:2111.');
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port };
}

/** Parses HOST[:PORT] of the device search. */
export function searchOption(typed: string): Endpoint {
  return endpointOption(/:\d+$/.test(typed) ? typed : `${typed}:${searchPort}`);
}
