import { expect } from 'vitest';
import type { Client } from '../client.js';
import { expectData } from '../envelope.js';
import { number } from '../json.js';
import { LegacyClient } from '../legacy-client.js';
import type { ScannerProcess } from '../scanner-process.js';
import type { Dialect } from './frames.js';

export const dialects: readonly Dialect[] = ['A', 'B'];

/** The two ports of the legacy interfaces: text and binary. */
export interface LegacyPorts {
  readonly A: number;
  readonly B: number;
}

/** The legacy ports of a scanner process, by its ready line. */
export function portsOf(scanner: ScannerProcess): LegacyPorts {
  const { legacyA, legacyB } = scanner.readyLine;
  return { A: number(legacyA), B: number(legacyB) };
}

/** A session in its own dialect on the port that is meant for it, for as long as the test. */
export function session(ports: LegacyPorts, dialect: Dialect): Promise<LegacyClient> {
  return LegacyClient.forTest(ports[dialect], dialect);
}

/** A session that may write everything. */
export async function serviceSession(ports: LegacyPorts, dialect: Dialect): Promise<LegacyClient> {
  const client = await session(ports, dialect);
  await client.login(4);
  return client;
}

/** Switches a legacy level on or off, over REST. */
export async function enableLegacyLevel(rest: Client, userLevel: number, isEnabled = true): Promise<void> {
  expectData(await rest.call('EnableLegacyUserLevel', { userLevel, isEnabled }), { result: true });
}

/** Expects that a session is served: it gets a response to a harmless request. */
export async function expectServed(client: LegacyClient): Promise<void> {
  const response = await client.request('sRN SCdevicestate');
  expect([response.command, response.name]).toEqual(['sRA', 'SCdevicestate']);
}
