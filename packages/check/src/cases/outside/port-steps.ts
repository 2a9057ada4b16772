import type { Json, Matcher } from '../../match/matcher.js';
import { call, control, pause, type RequestStep, type Step, write } from '../../steps/index.js';
import { numbered, reads, soon } from '../value-steps.js';

/** A port as an input that is active while its level is high. */
function plainPort(number: number) {
  return {
    PortType: 0,
    Name: `InOut${number}`,
    InputSettings: { Logic: 0, Debounce: 10, Sensitivity: 1, Reserved1: 0, Reserved2: 0 },
    OutputSettings: {
      Logic: 0,
      OutputMode: 0,
      RestartType: 0,
      RestartTime: 200,
      RestartInput: 1,
      Combination: 1,
      Reserved3: 0,
      Reserved4: 0,
      Sources: [],
    },
    EncoderPortType: 0,
    Reserved8: 0,
    Reserved9: 0,
    Reserved10: 0,
  };
}

/** What a port is, by its number. */
export type PortPlans = Readonly<Record<number, Readonly<Record<string, Json>>>>;

/** Settings of an input that differ from an input that is active while its level is high, after 10 ms. */
export function input(settings: Readonly<Record<string, Json>> = {}): Readonly<Record<string, Json>> {
  return { InputSettings: { ...plainPort(1).InputSettings, ...settings } };
}

/** A source of an output: its code, with `!` in front if it is inverted. */
export function output(
  sources: readonly string[],
  settings: Readonly<Record<string, Json>> = {},
): Readonly<Record<string, Json>> {
  return {
    PortType: 1,
    OutputSettings: {
      ...plainPort(1).OutputSettings,
      Sources: sources.map((source) => ({
        Name: source.replace('!', ''),
        Invert: source.startsWith('!'),
        Reserved5: 0,
        Reserved6: 0,
      })),
      ...settings,
    },
  };
}

/** Configures all ports: those that are not planned are inputs. */
export function configure(plans: PortPlans, status = 0): RequestStep {
  const ports = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => ({ ...plainPort(number), ...plans[number] }));
  return write('PortConfiguration', ports, { status });
}

/** Sets the level at a pin. */
export function level(port: number, high: boolean): Step {
  return control('input', { port, high });
}

/** Sets the levels at pins to low again. */
export const lowAgain: readonly Step[] = [1, 2, 3].map((port) => level(port, false));

/** Low levels at the pins, as long as no step sets others. */
export const allLow: readonly Step[] = [...lowAgain, pause(0.2)];

const ioState = (expected: number): Matcher => ({
  has: { IOState: { has: { eIOState: { is: expected } } } },
});

/** Expects the state of an input: 0 not active, 1 active, 2 no input. */
export function inputIs(port: number, expected: number): RequestStep {
  return reads('InputState', { has: { aDigitalIn: numbered(port, ioState(expected)) } });
}

/** Expects the state of an output: 0 not active, 1 active, 2 no output. */
export function outputIs(port: number, expected: number): RequestStep {
  return reads('OutputState', { has: { aDigitalOut: numbered(port, ioState(expected)) } });
}

/** Waits for the state of an output. */
export function outputBecomes(port: number, expected: number, within = 0.5): Step {
  return soon(outputIs(port, expected), within);
}

/** Expects how often an output was switched on. */
export function outputCounts(port: number, expected: number): RequestStep {
  return reads('OutputState', {
    has: { aDigitalOut: numbered(port, { has: { udiCounter: { is: expected } } }) },
  });
}

/** Expects the state of a port: 0 and 1 output off and on, 2 none, 3 and 4 input active and not active. */
export function portIs(port: number, expected: number): RequestStep {
  return reads('PortState', {
    has: { aInternalPorts: numbered(port, { has: { ePortState: { is: expected } } }) },
  });
}

/** Switches an output by telegram. */
export function setOutput(Output: number, Value: number, success = true): RequestStep {
  return call('SetOutput', { Output, Value }, { status: 0, data: { has: { Success: { is: success } } } });
}
