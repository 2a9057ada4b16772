import { InputSensitivity, inputsAndOutputs, isObject, PortLogic, PortState, PortType } from '@azimuth/model';
import { type Port, type Signal, signalsOf } from './port-words.js';

/** What a port does now. */
export interface LiveState {
  /** undefined for an encoder port, and if it is not known. */
  readonly active: boolean | undefined;
  /** The level of the signal; undefined if it is not known. */
  readonly signal: Signal | undefined;
  /** How often it became active since the last boot; undefined if it is not known. */
  readonly count: number | undefined;
  /** Whether the plug lacks it. */
  readonly isMissing: boolean;
}

const { PortState: States } = inputsAndOutputs.members;

/** The state of a port by what the scanner tells. */
export function liveStateOf(index: number, port: Port, value: (name: string) => unknown): LiveState {
  if (port.PortType === PortType.ENCODER) return unknown;
  const { ePortState, PortCounter } = portIn(value(States.name), index);
  if (isMissing(port, ePortState)) return { ...unknown, isMissing: true };
  const active = activeBy(ePortState);
  return {
    active,
    signal: active === undefined ? undefined : signalOf(port, active),
    count: typeof PortCounter === 'number' ? PortCounter : undefined,
    isMissing: false,
  };
}

/** Whether the plug lacks a port: an input or output whose state is neither. */
export function isMissing({ PortType: type }: Port, state: unknown): boolean {
  return type !== PortType.ENCODER && state === PortState.TRISTATE;
}

const unknown: LiveState = { active: undefined, signal: undefined, count: undefined, isMissing: false };

/** The states tell no more than whether a port is active. */
function signalOf(
  { PortType: type, InputSettings, OutputSettings }: Port,
  active: boolean,
): Signal | undefined {
  if (type === PortType.OUTPUT) {
    const [whileActive, otherwise] = signalsOf(OutputSettings);
    return active ? whileActive : otherwise;
  }
  // Without an edge, an input is inactive at either level.
  if (!active && InputSettings.Sensitivity === InputSensitivity.EDGE) return undefined;
  return active === (InputSettings.Logic === PortLogic.ACTIVE_HIGH) ? 'high' : 'low';
}

function portIn(state: unknown, index: number): Readonly<Record<string, unknown>> {
  const ports = isObject(state) ? state.aInternalPorts : undefined;
  const port: unknown = Array.isArray(ports) ? ports[index] : undefined;
  return isObject(port) ? port : {};
}

function activeBy(state: unknown): boolean | undefined {
  if (state === PortState.INPUT_ACTIVE || state === PortState.OUTPUT_ACTIVE) return true;
  return state === PortState.INPUT_NOT_ACTIVE || state === PortState.OUTPUT_NOT_ACTIVE ? false : undefined;
}
