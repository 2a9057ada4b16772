import { IOState, inputsAndOutputs, isObject, PortState, PortType } from '@azimuth/model';
import { type Port, type Signal, signalsOf } from './port-words.js';

/** What a port does now. */
export interface LiveState {
  /** undefined for an encoder port, and if it is not known. */
  readonly active: boolean | undefined;
  /** The level of the signal; undefined if it is not known. */
  readonly signal: Signal | undefined;
  /** How often it became active since the last boot; undefined if it is not known. */
  readonly count: number | undefined;
}

const { InputState, PortState: States } = inputsAndOutputs.members;

/** The state of a port by what the scanner tells. */
export function liveStateOf(index: number, port: Port, value: (name: string) => unknown): LiveState {
  if (port.PortType === PortType.ENCODER) return { active: undefined, signal: undefined, count: undefined };
  const { ePortState, PortCounter } = itemOf(value(States.name), 'aInternalPorts', index);
  const active = activeBy(ePortState);
  const { IOState: io } = itemOf(value(InputState.name), 'aDigitalIn', index);
  return {
    active,
    signal:
      port.PortType === PortType.OUTPUT
        ? outputSignal(active, port)
        : signalBy(isObject(io) ? io.eIOState : undefined),
    count: typeof PortCounter === 'number' ? PortCounter : undefined,
  };
}

/** OutputState tells no more than whether an output is active. */
function outputSignal(active: boolean | undefined, { OutputSettings }: Port): Signal | undefined {
  if (active === undefined) return undefined;
  const [whileActive, otherwise] = signalsOf(OutputSettings);
  return active ? whileActive : otherwise;
}

function itemOf(state: unknown, list: string, index: number): Readonly<Record<string, unknown>> {
  const items = isObject(state) ? state[list] : undefined;
  const item: unknown = Array.isArray(items) ? items[index] : undefined;
  return isObject(item) ? item : {};
}

function activeBy(state: unknown): boolean | undefined {
  if (state === PortState.INPUT_ACTIVE || state === PortState.OUTPUT_ACTIVE) return true;
  return state === PortState.INPUT_NOT_ACTIVE || state === PortState.OUTPUT_NOT_ACTIVE ? false : undefined;
}

/** An input that has no level is none yet. */
function signalBy(state: unknown): Signal | undefined {
  if (state === IOState.IOS_HIGH) return 'high';
  return state === IOState.IOS_LOW ? 'low' : undefined;
}
