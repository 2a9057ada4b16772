import { evaluationSlots, Fault, inputsAndOutputs, portCount } from '@azimuth/model';
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

/** Whether a source is active. */
export type SourceReader = (signals: SourceSignals) => boolean;

/** The code for no source. */
const noSource = '    ';

/** These sources have pulses of microseconds to milliseconds, too short to be simulated: they are always inactive. */
const alwaysInactive: SourceReader = () => false;

const single: ReadonlyMap<string, SourceReader> = new Map<string, SourceReader>([
  ['DRDY', (signals) => signals.ready()],
  ['CWRN', (signals) => signals.contaminationWarning()],
  ['CERR', (signals) => signals.contaminationError()],
  ['TALM', (signals) => signals.temperatureAlarm()],
  ['ROTS', alwaysInactive],
  ['SCLK', alwaysInactive],
]);

interface Numbered {
  readonly count: number;
  readonly read: (signals: SourceSignals, number: number) => boolean;
}

const numbered: ReadonlyMap<string, Numbered> = new Map<string, Numbered>([
  ['SC', { count: portCount, read: (signals, port) => signals.switched(port) }],
  ['IN', { count: portCount, read: (signals, port) => signals.input(port) }],
  ['FE', { count: evaluationSlots, read: (signals, evaluation) => signals.field(evaluation) }],
]);

/** The codes that `readerOf` knows, in words. */
const knownSources = [
  ...single.keys(),
  ...[...numbered].map(([code, { count }]) => `${code}01 to ${code}${two(count)}`),
].join(', ');

/** The function that reads a source; undefined for an unknown code. */
export function readerOf(code: string): SourceReader | undefined {
  const reading = single.get(code);
  if (reading !== undefined) return reading;
  const digits = /^[0-9]{2}$/.exec(code.slice(2))?.[0];
  const kind = numbered.get(code.slice(0, 2));
  if (digits === undefined || kind === undefined) return undefined;
  const number = Number(digits);
  if (number < 1 || number > kind.count) return undefined;
  return (signals) => kind.read(signals, number);
}

/** The code of the source that SetOutput switches for a port. */
export function switchCode(port: number): string {
  return `SC${two(port)}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

const { PortConfiguration } = inputsAndOutputs.members;

/** Refuses a configuration with an unknown source of an output, whatever the type of the port is. */
export function validateSources(parameters: Parameters): void {
  parameters.onChanging([PortConfiguration], (change) => {
    for (const [port, { OutputSettings }] of change.read(PortConfiguration).entries()) {
      for (const [source, { Name }] of OutputSettings.Sources.entries()) {
        if (Name === noSource || readerOf(Name) !== undefined) continue;
        throw new Fault(
          'illegalValue',
          `${PortConfiguration.name}[${port}].OutputSettings.Sources[${source}].Name`,
          `${JSON.stringify(Name)} is not a source: expected ${knownSources}, or four blanks for none`,
        );
      }
    }
  });
}
