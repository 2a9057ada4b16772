import { type Detection, isObject } from '@azimuth/model';
import type { RealState } from './real-states.js';

/** An event of a scanner of a fleet, without time and name. */
export type EventContent =
  /** The power goes on or off. */
  | { readonly event: 'power-on' | 'power-off' }
  /** A client needs the scanner, and it runs from now on; or no client has needed it for a while, and it is idle again. */
  | { readonly event: 'started' | 'rests' }
  | { readonly event: 'failed'; readonly reason: string }
  /** The scanner goes down for a reboot; it is up again. */
  | { readonly event: 'reboots' | 'up' }
  /** A planned fault of this kind begins, or is over. */
  | { readonly event: 'fault-begins' | 'fault-over'; readonly id: number; readonly kind: string }
  | { readonly event: 'saved' }
  /** So many parameters differ from the stored ones: a power cut would lose them. */
  | { readonly event: 'unsaved'; readonly parameters: number }
  /** A field evaluation has detected something, as in the detection history of the scanner. */
  | { readonly event: 'detection'; readonly detection: Detection }
  /** A real scanner has another state, with the reason if something is wrong. */
  | { readonly event: 'state'; readonly state: RealState; readonly trouble?: string }
  /** A variable of the scanner's state has another value. */
  | { readonly event: 'value'; readonly name: string; readonly value: unknown };

/** An event of a fleet: time, scanner and content. */
export type FleetEvent = EventContent & {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly serialNumber: string;
  readonly group: string;
};

/** Sent to a slow follower in place of the events that it has lost. */
export interface LostEvents {
  readonly event: 'lost';
  /** Number of lost events. */
  readonly events: number;
}

const dataField = 'data: ';

/** Formats an event as a server-sent event. */
export function eventText(event: FleetEvent | LostEvents): string {
  return `${dataField}${JSON.stringify(event)}\n\n`;
}

/** Parses the event in a line of a stream of server-sent events; undefined if there is none in it. */
export function eventIn(line: string): FleetEvent | LostEvents | undefined {
  if (!line.startsWith(dataField)) return undefined;
  try {
    const event: unknown = JSON.parse(line.slice(dataField.length));
    return isEvent(event) ? event : undefined;
  } catch {
    return undefined;
  }
}

function isEvent(event: unknown): event is FleetEvent | LostEvents {
  if (!isObject(event)) return false;
  const isOfScanner = typeof event.serialNumber === 'string' && typeof event.group === 'string';
  return event.event === 'lost' ? typeof event.events === 'number' : isOfScanner;
}
