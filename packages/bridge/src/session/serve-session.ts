import { Connections, errorReport, HttpPort } from '@azimuth/http';
import { mostHttpConnections } from '../control/limits.js';
import { type Control, type ControlPorts, openAll, ownAddressOnly } from '../control/open-ports.js';
import { recordingOn } from '../control/recorded-exchange.js';
import { timeNow } from '../timeline/clock.js';
import type { Timeline } from '../timeline/timeline.js';
import type { TimelineEntry } from '../timeline/timeline-entry.js';
import { ServedEvents } from './served-events.js';
import { ServedLegacy } from './served-legacy.js';
import { ServedRest } from './served-rest.js';
import type { Session } from './session.js';

interface Options {
  /** Address to listen at. */
  readonly host: string;
  readonly ports: ControlPorts;
  readonly timeline: Timeline;
  /** Gets errors that concern one connection, and those of followers of the timeline. */
  readonly failed: (error: unknown) => void;
}

/**
 * Serves a recorded session back, without a scanner: the same requests get the same responses after the same times, and the
 * same registrations the same events. Logins are not checked. A request that was never made gets status 3 with the reason
 * in `Azimuth-Detail`, which names the request and the file, and the timeline has it as a finding.
 * @throws PortTaken if a port cannot be opened; then none is open
 */
export async function serveSession(
  session: Session,
  { host, ports, timeline, failed }: Options,
): Promise<Control> {
  const errors = errorReport((_, error) => failed(error));
  const tell = (entry: TimelineEntry) => errors.contain('http', () => timeline.add(entry));
  const recording = recordingOn(tell);
  const missing = (of: string) => {
    tell({
      ...{ kind: 'finding', at: timeNow(), of, where: `the session ${session.path}` },
      ...{ expected: 'what a program asked when it was recorded', came: 'something else' },
    });
    return `the session ${session.path} has no ${of}`;
  };
  const facts = { session, recording, missing };
  const rest = new ServedRest(facts);
  const events = new ServedEvents(facts, rest.answers);
  const port = new HttpPort({
    errors,
    connections: new Connections(mostHttpConnections, failed),
    admission: ownAddressOnly(),
    serve: (context, response) =>
      context.respondInTurn(response, () => {
        rest.serve(context, response).catch(failed);
      }),
    upgrades: {
      isAt: () => true,
      accept: (context, socket, head) => events.accept(context, socket, head),
    },
  });
  const opened = await openAll(
    { host, ports },
    {
      http: () => port.listener(),
      text: () => new ServedLegacy({ ...facts, framing: 'text', failed }).listener,
      binary: () => new ServedLegacy({ ...facts, framing: 'binary', failed }).listener,
    },
  );
  return {
    ports: opened.ports,
    close: async () => {
      events.close();
      await opened.close();
    },
  };
}
