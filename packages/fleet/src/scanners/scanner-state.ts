import type { SharedConnections } from '@azimuth/http';
import type { ScannerService } from '@azimuth/server';
import type { FaultTimeline } from '@azimuth/world/faults';
import type { EarlyPorts } from './early-ports.js';

/**
 * What others are told of a scanner. `off`: its power is off. `idle`: it is on, and nobody has needed it yet: it takes no memory to
 * speak of, and no time. `running`: it was needed. `failed`: it could not start.
 */
export const scannerStates = ['off', 'idle', 'running', 'failed'] as const;

export type ScannerState = (typeof scannerStates)[number];

/** What runs of a scanner. */
export interface Run {
  readonly service: ScannerService;
  readonly faults: FaultTimeline;
  /** Those of the port of the fleet. */
  readonly connections: SharedConnections;
}

interface Waiting {
  /** Its own ports that are open before it runs. */
  readonly early?: EarlyPorts | undefined;
}

interface PowerIsOn {
  /** Time of its power-on: ms of the clock of this process. */
  readonly poweredOnAt: number;
}

export interface Off extends Waiting {
  readonly kind: 'off';
}

/** It could not be switched on, or could not start. */
export interface Failed extends Waiting {
  readonly kind: 'failed';
  readonly reason: string;
  /** Was a port of its own taken when its power was to be switched on? */
  readonly isPortTaken: boolean;
}

/** Its power is on, and nothing of it runs. */
export interface Idle extends Waiting, PowerIsOn {
  readonly kind: 'idle';
}

export interface Starting extends Waiting, PowerIsOn {
  readonly kind: 'starting';
  readonly run: Promise<Run>;
}

export interface Running extends PowerIsOn {
  readonly kind: 'running';
  readonly run: Run;
}

/** What ran is ending, or what was starting, because nobody needs it or its power was switched off. */
export interface Ending {
  readonly kind: 'ending';
  /** Does its power stay on? */
  readonly isOn: boolean;
  /** Fulfilled when it has ended. */
  readonly ended: Promise<void>;
}

export type State = Off | Failed | Idle | Starting | Running | Ending;

export type Kind = State['kind'];

const never = undefined;

/**
 * The state that each event leads to, by the state in which it comes. What cannot happen then is `never`. Who switches its power
 * waits until what ends has ended, and does one thing at a time.
 */
export const transitions = {
  portsOpened: { off: 'off', failed: 'failed', idle: never, starting: never, running: never, ending: never },
  switchedOn: { off: 'idle', failed: 'idle', idle: never, starting: never, running: never, ending: never },
  /** A port of its own is taken, or it cannot start. What fails while it is ending changes nothing. */
  failed: {
    off: 'failed',
    failed: 'failed',
    idle: never,
    starting: 'failed',
    running: never,
    ending: 'ending',
  },
  needed: { off: never, failed: never, idle: 'starting', starting: never, running: never, ending: never },
  /** A start that has come to its end while it is ending is ended, too. */
  started: { off: never, failed: never, idle: never, starting: 'running', running: never, ending: 'ending' },
  /** Its storage does not answer: whoever needs it next tries again. */
  putOff: { off: never, failed: never, idle: never, starting: 'idle', running: never, ending: 'ending' },
  unused: { off: never, failed: never, idle: never, starting: never, running: 'ending', ending: never },
  rested: { off: never, failed: never, idle: never, starting: never, running: never, ending: 'idle' },
  switchedOff: {
    off: 'off',
    failed: 'off',
    idle: 'off',
    starting: 'ending',
    running: 'ending',
    ending: never,
  },
  ended: { off: never, failed: never, idle: never, starting: never, running: never, ending: 'off' },
} as const satisfies Record<string, Readonly<Record<Kind, Kind | undefined>>>;

export type Event = keyof typeof transitions;

/**
 * The state after an event: the next one, or the same if the event changes nothing.
 * @throws Error for an event that cannot happen, or that leads to another state
 */
export function stateAfter<S extends { readonly kind: Kind }>(state: S, event: Event, next: S): S {
  const kind = transitions[event][state.kind];
  if (kind === next.kind) return next;
  if (kind === state.kind) return state;
  throw new Error(`a scanner that is ${state.kind} does not become ${next.kind} when it is ${event}`);
}

/** As others are told: a scanner that starts is idle until it runs. */
export function toldState(state: State): ScannerState {
  if (state.kind === 'ending') return state.isOn ? 'idle' : 'off';
  return state.kind === 'starting' ? 'idle' : state.kind;
}

export function isOn(state: State): boolean {
  return state.kind === 'ending' ? state.isOn : state.kind !== 'off' && state.kind !== 'failed';
}

/** The ports that are open before it runs. */
export function earlyPortsOf(state: State): EarlyPorts | undefined {
  return 'early' in state ? state.early : undefined;
}
