import type { SharedConnections } from '@azimuth/http';
import type { ScannerService } from '@azimuth/server';
import type { FaultTimeline } from '@azimuth/simulation/faults';
import type { EarlyPorts } from './early-ports.js';
import type { ScannerPorts } from './scanner-facts.js';

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

interface Scanner {
  /** Its own ports, with the numbers that they got at its first power-on; undefined if it has none. */
  readonly ports: ScannerPorts | undefined;
}

interface Waiting extends Scanner {
  /** Its own ports that are open before it runs. */
  readonly early?: EarlyPorts | undefined;
}

interface PowerIsOn extends Scanner {
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

/** Somebody needs it, and its start waits for its turn. */
export interface Queued extends Waiting, PowerIsOn {
  readonly kind: 'queued';
  readonly run: Promise<Run>;
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
export interface Ending extends Scanner {
  readonly kind: 'ending';
  /** Does its power stay on? */
  readonly isOn: boolean;
  /** Fulfilled when it has ended. */
  readonly ended: Promise<void>;
}

export type State = Off | Failed | Idle | Queued | Starting | Running | Ending;

/** Its power is on. */
export type On = Exclude<State, Off | Failed>;

export type Kind = State['kind'];

/**
 * The state that each event leads to, by the state in which it comes. What is not there cannot happen. Who switches its power
 * waits until what ends has ended, and does one thing at a time.
 */
export const transitions = {
  portsOpened: { off: 'off', failed: 'failed' },
  switchedOn: { off: 'idle', failed: 'idle' },
  /** A port of its own is taken, or it cannot start. What fails while it is ending changes nothing. */
  failed: { off: 'failed', failed: 'failed', starting: 'failed', ending: 'ending' },
  needed: { idle: 'queued' },
  /** Its start may have its turn before anybody needs it. */
  begun: { idle: 'starting', queued: 'starting' },
  /** A start that has come to its end while it is ending is ended, too. */
  started: { starting: 'running', ending: 'ending' },
  /** Its storage does not answer: whoever needs it next tries again. */
  putOff: { starting: 'idle', ending: 'ending' },
  unused: { running: 'ending' },
  rested: { ending: 'idle' },
  switchedOff: {
    off: 'off',
    failed: 'off',
    idle: 'off',
    queued: 'off',
    starting: 'ending',
    running: 'ending',
  },
  ended: { ending: 'off' },
} as const satisfies Record<string, Partial<Record<Kind, Kind>>>;

export type Event = keyof typeof transitions;

/**
 * The state after an event: the next one, or the same if the event changes nothing.
 * @throws Error for an event that cannot happen, or that leads to another state
 */
export function stateAfter<S extends { readonly kind: Kind }>(state: S, event: Event, next: S): S {
  const table: Partial<Record<Kind, Kind>> = transitions[event];
  const kind = table[state.kind];
  if (kind === next.kind) return next;
  if (kind === state.kind) return state;
  throw new Error(`a scanner that is ${state.kind} does not become ${next.kind} when it is ${event}`);
}

/** As others are told: a scanner that is to start is idle until it runs. */
export function toldState(state: State): ScannerState {
  if (state.kind === 'ending') return state.isOn ? 'idle' : 'off';
  return state.kind === 'queued' || state.kind === 'starting' ? 'idle' : state.kind;
}

export function isOn(state: State): boolean {
  return state.kind === 'ending' ? state.isOn : state.kind !== 'off' && state.kind !== 'failed';
}

/** The ports that are open before it runs. */
export function earlyPortsOf(state: State): EarlyPorts | undefined {
  return 'early' in state ? state.early : undefined;
}
