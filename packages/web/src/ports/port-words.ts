import {
  EncoderPort,
  InputSensitivity,
  inputsAndOutputs,
  isObject,
  noOutputSource,
  OutputMode,
  OutputRestart,
  outputSourceOf,
  outputSources,
  PortLogic,
  PortState,
  PortType,
  SourceCombination,
  type ValueOf,
} from '@azimuth/model';
import { numberText } from '../forms/value-text.js';

export type Port = ValueOf<'PortConfiguration'>[number];
type Output = Port['OutputSettings'];
type Source = Output['Sources'][number];

export type FieldNames = ReadonlyMap<number, string>;

/** The names of fields, as far as the scanner shows them. */
export function fieldNamesIn(definitions: unknown): FieldNames {
  const evaluations = isObject(definitions) ? definitions.evaluations : undefined;
  if (!Array.isArray(evaluations)) return new Map();
  return new Map(
    evaluations
      .filter(isObject)
      .map(({ Id, Name }): [number, string] => [Number(Id), typeof Name === 'string' ? Name.trim() : ''])
      .filter(([, name]) => name !== ''),
  );
}

export function portWords(port: Port, fields: FieldNames = new Map()): string {
  switch (port.PortType) {
    case PortType.INPUT:
      return inputWords(port.InputSettings);
    case PortType.OUTPUT:
      return outputWords(port.OutputSettings, fields);
    default:
      return encoderWords(port);
  }
}

function inputWords({ Logic, Debounce, Sensitivity }: Port['InputSettings']): string {
  const level = Logic === PortLogic.ACTIVE_HIGH ? 'high' : 'low';
  const change = `A change counts after ${numberText(Debounce, 'ms')}.`;
  return Sensitivity === InputSensitivity.LEVEL
    ? `Active while the signal is ${level}. ${change}`
    : `Active from a change of the signal to ${level} until it changes back. ${change}`;
}

/** What an output follows, in short: `follows field 3 is infringed`. */
export function followsText({ OutputSettings: { Sources, Combination } }: Port): string {
  const parts = Sources.filter(({ Name }) => Name !== noOutputSource).map((source) => sourceWords(source));
  if (parts.length === 0) return 'follows nothing';
  return `active while ${parts.join(Combination === SourceCombination.AND ? ' and ' : ' or ')}`;
}

function outputWords(output: Output, fields: FieldNames): string {
  const sources = output.Sources.filter(({ Name }) => Name !== noOutputSource);
  if (sources.length === 0) return `Never active: it follows nothing. ${signalWords(output)}`;
  const parts = sources.map((source) => sourceWords(source, fields));
  return `${combined(parts, output.Combination)}${restartWords(output)}. ${signalWords(output)}`;
}

/** Returns the condition under which a source counts as active: `field 3 (Gate) is infringed`. */
export function sourceWords({ Name, Invert }: Source, fields: FieldNames = new Map()): string {
  const source = outputSourceOf(Name);
  if (source === undefined) return `${Invert ? 'not ' : ''}${Name}`;
  const name = source.kind === 'FE' ? fields.get(source.number) : undefined;
  const which = name === undefined ? String(source.number) : `${source.number} (${name})`;
  const { text, inverse } = outputSources[source.kind];
  return (Invert ? inverse : text).replace('{n}', which);
}

function combined(parts: readonly string[], combination: Output['Combination']): string {
  if (parts.length === 1) return `Active while ${parts[0]}`;
  switch (combination) {
    case SourceCombination.AND:
      return `Active while ${parts.join(', and ')}`;
    case SourceCombination.OR:
      return `Active while ${parts.join(', or ')}`;
    default:
      return `Active while an odd number of these holds: ${parts.join('; ')}`;
  }
}

function restartWords({ RestartType, RestartTime, RestartInput }: Output): string {
  switch (RestartType) {
    case OutputRestart.RESTART_TIME:
      return `, and for ${numberText(RestartTime, 'ms')} after that`;
    case OutputRestart.RESTART_INPUT:
      return `, and after that until input ${RestartInput} becomes active`;
    default:
      return '';
  }
}

function signalWords(output: Output): string {
  const [active, inactive] = signalsOf(output);
  return `Its signal is ${active} while active, otherwise ${inactive}.`;
}

/** The level of a signal, or of a line that nothing drives. */
export type Signal = 'high' | 'low' | 'open';

/** The signals of an output: while it is active, and while it is not. */
function signalsOf({ OutputMode: mode, Logic }: Output): readonly [Signal, Signal] {
  const [driven, released] = levels[mode];
  return Logic === PortLogic.ACTIVE_HIGH ? [driven, released] : [released, driven];
}

const levels: Readonly<Record<Output['OutputMode'], readonly [Signal, Signal]>> = {
  [OutputMode.PNP]: ['high', 'open'],
  [OutputMode.NPN]: ['low', 'open'],
  [OutputMode.PUSH_PULL]: ['high', 'low'],
};

function encoderWords({ EncoderPortType, InputSettings }: Port): string {
  const level = InputSettings.Logic === PortLogic.ACTIVE_HIGH ? 'high' : 'low';
  switch (EncoderPortType) {
    case EncoderPort.ENCODER_A:
      return 'Track A of the encoder.';
    case EncoderPort.ENCODER_B:
      return 'Track B of the encoder.';
    case EncoderPort.AUX1:
      return `Reference signal 1 of the encoder: it comes when the signal becomes ${level}.`;
    case EncoderPort.AUX2:
      return `Reference signal 2 of the encoder: it comes when the signal becomes ${level}.`;
    default:
      return 'For the encoder, but without a use.';
  }
}

/** State of a port. */
export type LiveState =
  /** The port is an encoder port, or its state is not known. */
  | { readonly kind: 'unavailable' }
  /** The plug lacks it. */
  | { readonly kind: 'missing' }
  /**
   * @property signal its level; undefined if it is not known
   * @property count how often it became active since the last boot; undefined if it is not known
   */
  | {
      readonly kind: 'known';
      readonly active: boolean;
      readonly signal: Signal | undefined;
      readonly count: number | undefined;
    };

const { PortState: States } = inputsAndOutputs.members;

export function liveStateOf(index: number, port: Port, value: (name: string) => unknown): LiveState {
  const { ePortState, PortCounter } = portIn(value(States.name), index);
  if (isMissing(port, ePortState)) return { kind: 'missing' };
  const active = activeBy(ePortState);
  if (active === undefined || port.PortType === PortType.ENCODER) return { kind: 'unavailable' };
  const count = typeof PortCounter === 'number' ? PortCounter : undefined;
  return { kind: 'known', active, signal: signalOf(port, active), count };
}

/** True if the plug lacks a port: an input or output whose state is neither high nor low. */
export function isMissing({ PortType: type }: Port, state: unknown): boolean {
  return type !== PortType.ENCODER && state === PortState.TRISTATE;
}

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
