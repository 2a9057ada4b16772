import { isObject } from '@azimuth/model';
import type { FleetEvent } from './fleet-event.js';

/** What a follower gets in place of events that it was too slow for. */
export interface LostEvents {
  readonly event: 'lost';
  /** How many. */
  readonly events: number;
}

const dataField = 'data: ';

/** An event as one of the server-sent events of a fleet. */
export function eventText(event: FleetEvent | LostEvents): string {
  return `${dataField}${JSON.stringify(event)}\n\n`;
}

/** The event in a line of a stream of server-sent events; undefined if there is none in it. */
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
