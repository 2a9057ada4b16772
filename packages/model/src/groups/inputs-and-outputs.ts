import { event, group, method, variable } from '../declaration.js';
import { array } from '../types/array.js';
import { boolean, enumeration } from '../types/enumeration.js';
import { integer } from '../types/integer.js';
import { string } from '../types/string.js';
import { dateTime, struct } from '../types/struct.js';
import { stateChange } from './shared-types.js';

export const PortType = { INPUT: 0, OUTPUT: 1, ENCODER: 2 } as const;
export const PortLogic = { ACTIVE_HIGH: 0, ACTIVE_LOW: 1 } as const;
export const InputSensitivity = { EDGE: 0, LEVEL: 1 } as const;
export const OutputMode = { PNP: 0, NPN: 1, PUSH_PULL: 2 } as const;
export const OutputRestart = { RESTART_IMMEDATE: 0, RESTART_TIME: 1, RESTART_INPUT: 2 } as const;
export const SourceCombination = { AND: 0, OR: 1, XOR: 2 } as const;
export const EncoderPort = { NONE: 0, ENCODER_A: 1, ENCODER_B: 2, AUX1: 3, AUX2: 4 } as const;

/** Ports that can be configured: `InOut1` to `InOut8`. */
export const portCount = 8;

/** Number of ports that a scanner has, by the pins of its plug. They are the first ones. */
export const portsOfPlug = { 5: 3, 12: 6 } as const;

export type PlugPins = keyof typeof portsOfPlug;

export function isPlug(pins: number): pins is PlugPins {
  return Object.hasOwn(portsOfPlug, pins);
}

/** Number of pins of the plug of a scanner, if nothing else is known. */
export const defaultPlug: PlugPins = 12;

const logic = () => enumeration(PortLogic, PortLogic.ACTIVE_HIGH);

/** Debouncing in ms. */
const inputSettings = struct({
  Logic: logic(),
  Debounce: integer('uint16', { minimum: 1, maximum: 1000, initial: 10 }),
  Sensitivity: enumeration(InputSensitivity, InputSensitivity.EDGE),
  Reserved1: integer('uint16'),
  Reserved2: integer('uint16'),
});

/** Source of an output, named by a code of four characters. */
const outputSource = struct({
  Name: string({ minLength: 4, maxLength: 4, initial: '    ' }),
  Invert: boolean(),
  Reserved5: integer('uint8'),
  Reserved6: integer('uint8'),
});

/** Restart time in ms; the restart input is the number of a port. */
const outputSettings = struct({
  Logic: logic(),
  OutputMode: enumeration(OutputMode, OutputMode.PNP),
  RestartType: enumeration(OutputRestart, OutputRestart.RESTART_IMMEDATE),
  RestartTime: integer('uint32', { minimum: 20, maximum: 600_000, initial: 200 }),
  RestartInput: integer('uint16', { minimum: 1, maximum: portCount }),
  Combination: enumeration(SourceCombination, SourceCombination.OR),
  Reserved3: integer('uint16'),
  Reserved4: integer('uint16'),
  Sources: array(outputSource, { maxItems: 128 }),
});

const port = struct({
  PortType: enumeration(PortType, PortType.INPUT),
  Name: string({ maxLength: 20, initial: 'IOx' }),
  InputSettings: inputSettings,
  OutputSettings: outputSettings,
  EncoderPortType: enumeration(EncoderPort, EncoderPort.NONE, 'uint16'),
  Reserved8: integer('uint16'),
  Reserved9: integer('uint16'),
  Reserved10: integer('uint16'),
});

const readySource = { Name: 'DRDY', Invert: false, Reserved5: 0, Reserved6: 0 } as const;

/** Factory setting of a port: an input, or an output that is low while the scanner is ready. */
function factoryPort(number: number, type: 'INPUT' | 'OUTPUT') {
  const { InputSettings, OutputSettings } = port.initial;
  const isOutput = type === 'OUTPUT';
  return {
    ...port.initial,
    PortType: PortType[type],
    Name: `InOut${number}`,
    InputSettings: { ...InputSettings, Sensitivity: InputSensitivity.LEVEL },
    OutputSettings: {
      ...OutputSettings,
      Logic: isOutput ? PortLogic.ACTIVE_LOW : PortLogic.ACTIVE_HIGH,
      Sources: isOutput ? [readySource] : [],
    },
  };
}

/** Use of each port, as input, output or encoder. */
function portConfiguration() {
  const outputs = [1, 2, 7, 8];
  const initial = Array.from({ length: portCount }, (_, index) =>
    factoryPort(index + 1, outputs.includes(index + 1) ? 'OUTPUT' : 'INPUT'),
  );
  return array(port, { minItems: portCount, maxItems: portCount, initial });
}

/** Configuration of the first ports. A telegram may write any number of them. */
const firstPorts = array(port, { minItems: 1, maxItems: portCount, inTelegrams: 'leading' });

export const IOState = { IOS_LOW: 0, IOS_HIGH: 1, IOS_TRISTATE: 2 } as const;

export const PortState = {
  OUTPUT_NOT_ACTIVE: 0,
  OUTPUT_ACTIVE: 1,
  TRISTATE: 2,
  INPUT_ACTIVE: 3,
  INPUT_NOT_ACTIVE: 4,
} as const;

const ports = { minItems: portCount, maxItems: portCount };
const ioState = struct({ eIOState: enumeration(IOState, IOState.IOS_TRISTATE) });
const version = () => integer('uint16', { initial: 1 });
/** Time of the state, if the device has one. */
const timeBlock = () => array(dateTime(), { maxItems: 1 });

const countedPorts = () =>
  array(struct({ ePortState: enumeration(PortState, PortState.TRISTATE), PortCounter: integer('uint32') }), {
    maxItems: portCount,
  });

/** Levels at the inputs. */
function inputState() {
  return struct({
    uiVersionNumber: version(),
    udiSystCount: integer('uint32'),
    aDigitalIn: array(struct({ IOState: ioState }), ports),
    aTimeBlock: timeBlock(),
  });
}

/** Levels at the outputs, and the number of times that each was switched. */
function outputState() {
  return struct({
    uiVersionNumber: version(),
    udiSystCount: integer('uint32'),
    aDigitalOut: array(struct({ IOState: ioState, udiCounter: integer('uint32') }), ports),
    aTimeBlock: timeBlock(),
  });
}

/** Use of each port, internal and external ones apart, and the number of its changes. */
function portState() {
  return struct({
    uiVersionNumber: version(),
    udiSystCount: integer('uint32'),
    aInternalPorts: countedPorts(),
    aExternalPorts: countedPorts(),
    aTimeBlock: timeBlock(),
  });
}

export const inputsAndOutputs = group('Inputs and outputs', {
  PortConfiguration: variable(portConfiguration(), {
    write: 'AuthorizedClient',
    unit: 'ms',
    units: { Debounce: 'ms', RestartTime: 'ms' },
    written: { type: firstPorts, over: (written, now) => [...written, ...now.slice(written.length)] },
    text: 'Settings of the eight I/O ports: type, name, and settings as input, output or encoder port.',
  }),
  InputState: event(inputState(), {
    variant: 'basic',
    text: 'Signal level at each input.',
  }),
  OutputState: event(outputState(), {
    text: 'Signal level at each output, and how often it was switched.',
  }),
  PortState: event(portState(), {
    text: 'Current type and state of each I/O port.',
  }),
  SetOutput: method({
    level: 'login',
    request: { Output: integer('uint8'), Value: integer('uint8') },
    response: { Success: boolean() },
    done: { Success: true },
    text: 'Switches an output that is configured to be switched by telegram.',
  }),
  mResetOutputCounter: method({
    level: 'AuthorizedClient',
    response: { ErrorCode: stateChange() },
    done: { ErrorCode: 0 },
    loses: 'the switching counters of all outputs',
    text: 'Sets the switching counters of all outputs to zero.',
  }),
});
