import { IOState, inputsAndOutputs, isObject, PortState, PortType } from '@azimuth/model';
import type { Port } from './port-words.js';

/** What a port does now. */
export interface LiveState {
  /** undefined for an encoder port, and if it is not known. */
  readonly active: boolean | undefined;
  /** The level of the signal; undefined if it is not known. */
  readonly signal: 'high' | 'low' | 'open' | undefined;
  /** How often it became active since the last boot; undefined if it is not known. */
  readonly count: number | undefined;
}

const { InputState, OutputState, PortState: States } = inputsAndOutputs.members;

/** The state of a port by what the scanner tells. */
export function liveStateOf(index: number, port: Port, value: (name: string) => unknown): LiveState {
  const { ePortState, PortCounter } = itemOf(value(States.name), 'aInternalPorts', index);
  const isOutput = port.PortType === PortType.OUTPUT;
  const { IOState: io } = isOutput
    ? itemOf(value(OutputState.name), 'aDigitalOut', index)
    : itemOf(value(InputState.name), 'aDigitalIn', index);
  const isEncoder = port.PortType === PortType.ENCODER;
  return {
    active: isEncoder ? undefined : activeBy(ePortState),
    signal: isEncoder ? undefined : signalBy(isObject(io) ? io.eIOState : undefined, isOutput),
    count: isEncoder || typeof PortCounter !== 'number' ? undefined : PortCounter,
  };
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

/** An output may leave its line open. An input that has no level is none yet. */
function signalBy(state: unknown, isOutput: boolean): LiveState['signal'] {
  if (state === IOState.IOS_HIGH) return 'high';
  if (state === IOState.IOS_LOW) return 'low';
  return state === IOState.IOS_TRISTATE && isOutput ? 'open' : undefined;
}
