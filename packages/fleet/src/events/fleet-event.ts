import { type Detection, isObject } from '@azimuth/model';

/** What happens to a scanner of a fleet. */
export type Happening =
  /** Its power goes on or off. */
  | { readonly event: 'power-on' | 'power-off' }
  /** Somebody needs it, and it runs from now on; nobody has needed it for a while, and it is idle again. */
  | { readonly event: 'started' | 'rests' }
  | { readonly event: 'failed'; readonly reason: string }
  /** It goes down for a reboot; it is up again. */
  | { readonly event: 'reboots' | 'up' }
  /** A planned fault of this kind begins, or is over. */
  | { readonly event: 'fault-begins' | 'fault-over'; readonly id: number; readonly kind: string }
  | { readonly event: 'saved' }
  /** So many parameters differ from what is stored: a power cut would lose them. */
  | { readonly event: 'unsaved'; readonly parameters: number }
  /** A field evaluation has seen something in its field; as in the detection history of the scanner. */
  | { readonly event: 'detection'; readonly detection: Detection }
  /** A variable that tells the state of the scanner has another value. */
  | { readonly event: 'value'; readonly name: string; readonly value: unknown };

/** What happens in a fleet, when and to which scanner. */
export type FleetEvent = Happening & {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly serialNumber: string;
  readonly group: string;
};

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
