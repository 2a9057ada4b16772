import type { ServerResponse } from 'node:http';
import type { Server } from 'node:net';
import { legacyPorts } from '@azimuth/client/legacy';
import { SystemClock } from '@azimuth/device';
import { CableWatch, Connections, errorReport, HttpPort, type RequestContext } from '@azimuth/http';
import { FaultyRequests } from '@azimuth/server/faults';
import type { WireFaults } from '@azimuth/simulation/faults';
import type { Timeline } from '../timeline/timeline.js';
import type { TimelineEntry } from '../timeline/timeline-entry.js';
import { EventForwarding } from './event-forwarding.js';
import { LegacyForwarding } from './legacy-forwarding.js';
import { mostHttpConnections } from './limits.js';
import { type Control, type ControlPorts, openAll, ownAddressOnly } from './open-ports.js';
import { recordingOn } from './recorded-exchange.js';
import { RestForwarding } from './rest-forwarding.js';
import { ScannerConnections, type ScannerTarget } from './scanner-target.js';
import { ToldFaults } from './told-faults.js';

export interface ControlOptions {
  readonly target: ScannerTarget;
  /** The legacy interfaces of the scanner; by default, at its host and the ports of the factory. */
  readonly legacy?:
    | {
        readonly host?: string | undefined;
        readonly text?: number | undefined;
        readonly binary?: number | undefined;
      }
    | undefined;
  /** Address to listen at. */
  readonly host: string;
  readonly ports: ControlPorts;
  readonly timeline: Timeline;
  /** Faults to put on what passes. */
  readonly faults?: WireFaults | undefined;
  /** Gets errors that concern one connection, and those of followers of the timeline. */
  readonly failed: (error: unknown) => void;
}

/**
 * Opens ports for programs, and passes on what comes there to a scanner: requests over HTTP, WebSockets, and the legacy
 * protocol. It changes nothing, so that logins stay between program and scanner: the relay never knows a password. All that
 * passes is told on the timeline, without secrets.
 * @throws PortTaken if a port cannot be opened; then none is open
 */
export async function openControl(options: ControlOptions): Promise<Control> {
  const { target, timeline, failed } = options;
  const errors = errorReport((_, error) => failed(error));
  const tell = (entry: TimelineEntry) => errors.contain('http', () => timeline.add(entry));
  const recording = recordingOn(tell);
  const scanner = new ScannerConnections(target);
  const faults = options.faults && new ToldFaults(options.faults, tell);
  const rest = new RestForwarding(scanner, recording);
  const events = new EventForwarding(scanner, recording, faults);
  const serve = servingOf(rest, faults, failed);
  const port = new HttpPort({
    errors,
    connections: new Connections(mostHttpConnections, failed),
    admission: ownAddressOnly(),
    serve: (context, response) => context.respondInTurn(response, () => serve(context, response)),
    upgrades: {
      isAt: () => true,
      accept: (context, socket, head) => events.accept(context, socket, head),
    },
  });
  const legacyOf = (framing: 'text' | 'binary') => {
    const { host = hostOf(target.url), [framing]: legacyPort = legacyPorts[framing] } = options.legacy ?? {};
    return new LegacyForwarding({
      ...{ framing, recording, faults, failed, target: { host, port: legacyPort } },
    }).listener;
  };
  const cable = faults && new CableWatch(faults.link);
  const watched = <L extends Server>(listener: L): L => {
    cable?.watch(listener);
    return listener;
  };
  const opened = await openAll(options, {
    http: () => watched(port.listener()),
    text: () => watched(legacyOf('text')),
    binary: () => watched(legacyOf('binary')),
  });
  return {
    ports: opened.ports,
    close: async () => {
      cable?.close();
      events.close();
      await opened.close();
    },
  };
}

type Serve = (context: RequestContext, response: ServerResponse) => void;

/** Returns what serves requests: with the planned faults, if there are any. */
function servingOf(
  rest: RestForwarding,
  faults: ToldFaults | undefined,
  failed: (error: unknown) => void,
): Serve {
  const serve: Serve = (context, response) => {
    rest.serve(context, response).catch(failed);
  };
  if (faults === undefined) return serve;
  return new FaultyRequests({
    clock: new SystemClock(),
    faultOf: faults.ofRequest,
    unserved: (_, context, response) => rest.unserved(context, response),
    serve,
  }).serve;
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}
