import type { SharedPortCable } from '@azimuth/http';
import type { KeptService, ScannerService } from '@azimuth/server';
import type { FaultTimeline } from '@azimuth/simulation/faults';
import type { IdlePorts } from './idle-ports.js';
import type { ScannerPorts } from './scanner-facts.js';

/**
 * The states of a scanner for others. `off`: its power is off. `idle`: it is on, and was not needed yet: it uses almost no
 * memory, and no time. `running`: it was needed. `failed`: it could not start.
 */
export const scannerStates = ['off', 'idle', 'running', 'failed'] as const;

export type ScannerState = (typeof scannerStates)[number];

/** The running parts of a scanner. */
export interface RunningParts {
  readonly service: ScannerService;
  readonly faults: FaultTimeline;
  /** Its cable at the port of the fleet, which it shares with others. */
  readonly cable: SharedPortCable;
}

/** A scanner that was put away, until it is needed again. */
export interface KeptScanner {
  readonly service: KeptService;
  /** Parameters that a power cut would lose. */
  readonly unsaved: number;
}

interface Scanner {
  /** Its own ports, with the numbers from its first power-on; undefined if it has none. */
  readonly ports: ScannerPorts | undefined;
}

interface Waiting extends Scanner {
  /** Its own ports that are open before it runs. */
  readonly idlePorts?: IdlePorts | undefined;
}

interface PowerIsOn extends Scanner {
  /** Time of its power-on: ms of the clock of this process. */
  readonly poweredOnAt: number;
}

export interface Off extends Waiting {
  readonly kind: 'off';
}

/** The scanner could not be switched on, or could not start. */
export interface Failed extends Waiting {
  readonly kind: 'failed';
  readonly reason: string;
  /** True if a port of its own was taken at power-on. */
  readonly isPortTaken: boolean;
}

/** The power is on, and nothing runs. */
export interface Idle extends Waiting, PowerIsOn {
  readonly kind: 'idle';
  /** What it held in memory when it was put away; undefined if it has not run since its power-on. */
  readonly kept?: KeptScanner | undefined;
}

/** The scanner is needed, and its start waits for its turn. */
export interface Queued extends Waiting, PowerIsOn {
  readonly kind: 'queued';
  readonly kept?: KeptScanner | undefined;
  readonly run: Promise<RunningParts>;
}

export interface Starting extends Waiting, PowerIsOn {
  readonly kind: 'starting';
  readonly kept?: KeptScanner | undefined;
  readonly run: Promise<RunningParts>;
}

export interface Running extends PowerIsOn {
  readonly kind: 'running';
  readonly run: RunningParts;
}

/** The scanner is ending, because nobody needs it or its power was switched off. */
export interface Ending extends Scanner {
  readonly kind: 'ending';
  /** True if its power stays on. */
  readonly isOn: boolean;
  /** Fulfilled when it has ended. */
  readonly ended: Promise<void>;
}

export type State = Off | Failed | Idle | Queued | Starting | Running | Ending;

/** The states in which the power is on. */
export type On = Exclude<State, Off | Failed>;

export type Kind = State['kind'];

/**
 * The next state for each event, by the current state. Missing combinations cannot happen. Switching the power waits until an
 * ending scanner has ended, and does one thing at a time.
 */
export const transitions = {
  portsOpened: { off: 'off', failed: 'failed' },
  switchedOn: { off: 'idle', failed: 'idle' },
  /** A port of its own is taken, or it cannot start. A failure while it is ending changes nothing. */
  failed: { off: 'failed', failed: 'failed', starting: 'failed', ending: 'ending' },
  needed: { idle: 'queued' },
  /** Its start may get its turn before it is needed. */
  begun: { idle: 'starting', queued: 'starting' },
  /** If a start completes while the scanner is ending, it is ended, too. */
  started: { starting: 'running', ending: 'ending' },
  /** Its storage does not respond. The next client that needs it tries again. */
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
 * Returns the state after an event: the next one, or the same if the event changes nothing.
 * @throws Error for an event that cannot happen, or that leads to another state
 */
export function stateAfter<S extends { readonly kind: Kind }>(state: S, event: Event, next: S): S {
  const table: Partial<Record<Kind, Kind>> = transitions[event];
  const kind = table[state.kind];
  if (kind === next.kind) return next;
  if (kind === state.kind) return state;
  throw new Error(`a scanner that is ${state.kind} does not become ${next.kind} when it is ${event}`);
}

/** Returns the state for others. A scanner that is about to start is idle until it runs. */
export function publicState(state: State): ScannerState {
  if (state.kind === 'ending') return state.isOn ? 'idle' : 'off';
  return state.kind === 'queued' || state.kind === 'starting' ? 'idle' : state.kind;
}

export function isOn(state: State): boolean {
  return state.kind === 'ending' ? state.isOn : state.kind !== 'off' && state.kind !== 'failed';
}

/** Returns the ports that are open before it runs. */
export function idlePortsOf(state: State): IdlePorts | undefined {
  return 'idlePorts' in state ? state.idlePorts : undefined;
}
