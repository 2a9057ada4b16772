import { rm } from 'node:fs/promises';
import { checkConformity } from '@azimuth/bridge/conformity';
import { type Control, openControl } from '@azimuth/bridge/control';
import { readSession, SessionError, SessionWriter, serveSession } from '@azimuth/bridge/session';
import type { Timeline } from '@azimuth/bridge/timeline';
import type { WireFaults } from '@azimuth/simulation/faults';
import { CommandFailure, systemErrorText } from '../command-failure.js';
import type { DeviceOptions } from '../options/command.js';
import { remark } from '../output/output.js';
import { chosenScanner } from '../scanners/chosen.js';

/** Options of the ports for requests. */
export interface ControlOptions extends DeviceOptions {
  readonly httpPort?: number;
  readonly legacyAPort?: number;
  readonly legacyBPort?: number;
  readonly scannerLegacyAPort?: number;
  readonly scannerLegacyBPort?: number;
  readonly bind?: string;
  readonly session?: string;
  readonly replay?: string;
  readonly force?: boolean;
}

/** Address at which ports are opened if the user names none. */
export const usualAddress = '127.0.0.1';

/** What opens the ports for requests, and the recording of what passes there; undefined for what is not wanted. */
export interface RequestPassing {
  readonly openControl?: (timeline: Timeline) => Promise<Control>;
  readonly openSession?: (timeline: Timeline) => Promise<SessionWriter>;
}

/**
 * Returns what passes on requests to the scanner, or answers them from a recorded session.
 * @param faults to put on what passes
 * @throws CommandFailure if options do not go together, or the session cannot be read
 */
export async function requestPassing(
  options: ControlOptions,
  faults: WireFaults | undefined,
): Promise<RequestPassing> {
  const ports = { http: options.httpPort, text: options.legacyAPort, binary: options.legacyBPort };
  const { bind: host = usualAddress, session, replay } = options;
  if (Object.values(ports).every((port) => port === undefined)) {
    if (replay === undefined && session === undefined) return {};
    const flag = replay === undefined ? '--session' : '--replay';
    throw new CommandFailure(
      `${flag} needs a port for requests: --http-port, --legacy-a-port or --legacy-b-port`,
    );
  }
  const shared = { host, ports, failed: tellFailure };
  if (replay !== undefined) {
    if (session !== undefined) throw new CommandFailure('a session is recorded or served, not both');
    const recorded = await readSession(replay).catch((error: unknown) => unreadableSession(replay, error));
    if (recorded.isCut) remark(`${replay} ends in the middle of a line; everything before it is served`);
    return { openControl: (timeline) => serveSession(recorded, { ...shared, timeline }) };
  }
  const { url } = await chosenScanner(options, 'relay');
  const legacy = { text: options.scannerLegacyAPort, binary: options.scannerLegacyBPort };
  return {
    openControl: (timeline) => {
      checkConformity(timeline);
      return openControl({ ...shared, target: { url }, legacy, timeline, faults });
    },
    ...(session === undefined
      ? {}
      : { openSession: (timeline: Timeline) => sessionAt(session, url, { options, timeline }) }),
  };
}

async function sessionAt(
  path: string,
  target: string,
  { options: { force }, timeline }: { options: ControlOptions; timeline: Timeline },
): Promise<SessionWriter> {
  if (force === true) await rm(path, { force: true });
  const failed = (error: Error) => remark(`${path}: ${error.message}; the relay goes on without it`);
  return SessionWriter.open(path, timeline, { target, failed }).catch((error: unknown) => {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new CommandFailure(
      isThere
        ? `${path} already exists; use --force to replace it`
        : `${path} cannot be written: ${systemErrorText(error)}`,
      isThere ? 'usage' : 'refused',
    );
  });
}

function unreadableSession(path: string, error: unknown): never {
  if (error instanceof SessionError) throw new CommandFailure(error.message);
  throw new CommandFailure(`${path} cannot be read: ${systemErrorText(error)}`);
}

/** Tells an error of a connection, or of what follows the timeline. */
export function tellFailure(error: unknown): void {
  remark(error instanceof Error ? error.message : String(error));
}
