import { evaluationSlots, Fault, inputsAndOutputs, portCount } from '@azimuth/model';
import type { Parameters } from '../parameters/parameters.js';

/** What outputs can follow, beside ports. */
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

/** All that outputs can follow. */
export interface SourceSignals extends OutputSignals {
  /** INxx: the input of this port, 1 to 8, is active. */
  input(port: number): boolean;
  /** SCxx: SetOutput has switched the output of this port, 1 to 8, on. */
  switched(port: number): boolean;
}

/** Tells whether a source is active. */
export type Reading = (signals: SourceSignals) => boolean;

/** The code that stands for no source. */
export const noSource = '    ';

/** Pulses of microseconds to milliseconds: a virtual port has no time for them, and shows what it shows between two. */
const betweenPulses: Reading = () => false;

const single: ReadonlyMap<string, Reading> = new Map<string, Reading>([
  ['DRDY', (signals) => signals.ready()],
  ['CWRN', (signals) => signals.contaminationWarning()],
  ['CERR', (signals) => signals.contaminationError()],
  ['TALM', (signals) => signals.temperatureAlarm()],
  ['ROTS', betweenPulses],
  ['SCLK', betweenPulses],
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

/** The codes that `readingOf` knows, in words. */
export const knownSources = [
  ...single.keys(),
  ...[...numbered].map(([code, { count }]) => `${code}01 to ${code}${two(count)}`),
].join(', ');

/** How a source is read; undefined where nothing has this code. */
export function readingOf(code: string): Reading | undefined {
  const reading = single.get(code);
  if (reading !== undefined) return reading;
  const digits = /^[0-9]{2}$/.exec(code.slice(2))?.[0];
  const kind = numbered.get(code.slice(0, 2));
  if (digits === undefined || kind === undefined) return undefined;
  const number = Number(digits);
  if (number < 1 || number > kind.count) return undefined;
  return (signals) => kind.read(signals, number);
}

/** The code by which SetOutput switches the output of a port. */
export function switchCode(port: number): string {
  return `SC${two(port)}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

const { PortConfiguration } = inputsAndOutputs.members;

/** Refuses a configuration with an output that is to follow something which does not exist, whatever the port is now. */
export function keepToKnownSources(parameters: Parameters): void {
  parameters.onChanging([PortConfiguration], (change) => {
    for (const [port, { OutputSettings }] of change.read(PortConfiguration).entries()) {
      for (const [source, { Name }] of OutputSettings.Sources.entries()) {
        if (Name === noSource || readingOf(Name) !== undefined) continue;
        throw new Fault(
          'illegalValue',
          `${PortConfiguration.name}[${port}].OutputSettings.Sources[${source}].Name`,
          `${JSON.stringify(Name)} is no source; there are ${knownSources}, and four blanks for none`,
        );
      }
    }
  });
}
