import type { EventFaults, EventPath, MessageFault } from '@azimuth/device/faults';
import type { PlannedFault } from '@azimuth/model/faults';
import type { EventKind, OccurrencesOf } from './occurrence.js';

/** The planned faults of events. If several concern one message, the first in the plan happens. */
export class PlannedEventFaults implements EventFaults {
  readonly #occurrences: OccurrencesOf<EventKind>;

  constructor(occurrences: OccurrencesOf<EventKind>) {
    this.#occurrences = occurrences;
  }

  of(path: EventPath): MessageFault | undefined {
    let first: MessageFault | undefined;
    for (const occurrence of this.#occurrences) {
      if (occurrence.fault.path !== 'any' && occurrence.fault.path !== path) continue;
      if (occurrence.occurs()) first ??= messageFault(occurrence.fault);
    }
    return first;
  }
}

function messageFault(fault: PlannedFault<EventKind>): MessageFault {
  switch (fault.kind) {
    case 'events-drop':
      return { kind: 'drop', how: fault.how };
    case 'events-stall':
      return { kind: 'stall', milliseconds: fault.stall };
    case 'events-reorder':
      return { kind: 'behind', milliseconds: fault.wait };
  }
}
