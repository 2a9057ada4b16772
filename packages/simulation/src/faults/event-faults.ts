import type { EventFaults, EventPath, MessageFault } from '@azimuth/device';
import type { PlannedFault } from '@azimuth/model/faults';
import type { EventKind, RunsOf } from './occurrence.js';

/** The planned faults of events. Of several at one message, the first in the plan happens. */
export class PlannedEventFaults implements EventFaults {
  readonly #runs: RunsOf<EventKind>;

  constructor(runs: RunsOf<EventKind>) {
    this.#runs = runs;
  }

  of(path: EventPath): MessageFault | undefined {
    let found: MessageFault | undefined;
    for (const run of this.#runs) {
      if (run.fault.path !== 'any' && run.fault.path !== path) continue;
      if (run.occurs()) found ??= messageFault(run.fault);
    }
    return found;
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
