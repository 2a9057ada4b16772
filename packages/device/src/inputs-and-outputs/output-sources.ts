import {
  inputsAndOutputs,
  noOutputSource,
  type OutputSourceKind,
  outputSourceCode,
  outputSourceOf,
  outputSources,
  Refusal,
} from '@azimuth/model';
import type { Parameters } from '../parameters/parameters.js';

/** The signals that outputs can follow, other than ports. */
export interface OutputSignals {
  /** DRDY: the scanner is ready. */
  ready(): boolean;
  /** FExx: the field of this evaluation, 1 to 48, is infringed. */
  field(evaluation: number): boolean;
  /** CWRN */
  contaminationWarning(): boolean;
  /** CERR */
  contaminationError(): boolean;
  /** TALM */
  temperatureAlarm(): boolean;
}

/** All signals that outputs can follow. */
export interface SourceSignals extends OutputSignals {
  /** INxx: the input of this port, 1 to 8, is active. */
  input(port: number): boolean;
  /** SCxx: SetOutput has switched the output of this port, 1 to 8, on. */
  switched(port: number): boolean;
}

/** True if a source is active. */
export type SourceReader = (signals: SourceSignals) => boolean;

/** Sources with pulses that are too short for calls of the hardware: they are always inactive. */
const alwaysInactive = () => false;

const readers: Readonly<Record<OutputSourceKind, (signals: SourceSignals, number: number) => boolean>> = {
  DRDY: (signals) => signals.ready(),
  FE: (signals, evaluation) => signals.field(evaluation),
  IN: (signals, port) => signals.input(port),
  SC: (signals, port) => signals.switched(port),
  CWRN: (signals) => signals.contaminationWarning(),
  CERR: (signals) => signals.contaminationError(),
  TALM: (signals) => signals.temperatureAlarm(),
  SROT: alwaysInactive,
  ROTS: alwaysInactive,
  SCLK: alwaysInactive,
};

/** The codes that `readerOf` knows, in words. */
const knownSources = Object.entries(outputSources)
  .map(([kind, sources]) =>
    'count' in sources ? `${kind}01 to ${kind}${String(sources.count).padStart(2, '0')}` : kind,
  )
  .join(', ');

/** The function that reads a source. Undefined for an unknown code. */
export function readerOf(code: string): SourceReader | undefined {
  const source = outputSourceOf(code);
  if (source === undefined) return undefined;
  const read = readers[source.kind];
  return (signals) => read(signals, source.number);
}

/** The code of the source that SetOutput switches for a port. */
export function switchCode(port: number): string {
  return outputSourceCode({ kind: 'SC', number: port });
}

const { PortConfiguration } = inputsAndOutputs.members;

/** Refuses a configuration with an unknown source of an output, regardless of the type of the port. */
export function validateSources(parameters: Parameters): void {
  parameters.onChanging([PortConfiguration], (change) => {
    for (const [port, { OutputSettings }] of change.read(PortConfiguration).entries()) {
      for (const [source, { Name }] of OutputSettings.Sources.entries()) {
        if (Name === noOutputSource || readerOf(Name) !== undefined) continue;
        throw new Refusal(
          'illegalValue',
          `${PortConfiguration.name}[${port}].OutputSettings.Sources[${source}].Name`,
          `${JSON.stringify(Name)} is not a source: expected ${knownSources}, or four blanks for none`,
        );
      }
    }
  });
}
