import { group, variable } from '../declaration.js';
import { array } from '../types/array.js';
import { boolean } from '../types/boolean.js';
import { enumeration } from '../types/enumeration.js';
import { integer } from '../types/integer.js';
import { string } from '../types/string.js';
import { struct } from '../types/struct.js';

const logic = () => enumeration({ ACTIVE_HIGH: 0, ACTIVE_LOW: 1 }, 0);

const inputSettings = struct({
  Logic: logic(),
  Debounce: integer('uint16', { minimum: 1, maximum: 1000, initial: 10 }),
  Sensitivity: enumeration({ EDGE: 0, LEVEL: 1 }, 0),
  Reserved1: integer('uint16'),
  Reserved2: integer('uint16'),
});

const outputSource = struct({
  Name: string({ minLength: 4, maxLength: 4, initial: '    ' }),
  Invert: boolean(),
  Reserved5: integer('uint8'),
  Reserved6: integer('uint8'),
});

const outputSettings = struct({
  Logic: logic(),
  OutputMode: enumeration({ PNP: 0, NPN: 1, PUSH_PULL: 2 }, 0),
  RestartType: enumeration({ RESTART_IMMEDATE: 0, RESTART_TIME: 1, RESTART_INPUT: 2 }, 0),
  RestartTime: integer('uint32', { minimum: 20, maximum: 600_000, initial: 200 }),
  RestartInput: integer('uint16', { minimum: 1, maximum: 8, initial: 1 }),
  Combination: enumeration({ AND: 0, OR: 1, XOR: 2 }, 1),
  Reserved3: integer('uint16'),
  Reserved4: integer('uint16'),
  Sources: array(outputSource, { maxItems: 128 }),
});

const port = struct({
  PortType: enumeration({ INPUT: 0, OUTPUT: 1, ENCODER: 2 }, 0),
  Name: string({ maxLength: 20, initial: 'IOx' }),
  InputSettings: inputSettings,
  OutputSettings: outputSettings,
  EncoderPortType: enumeration({ NONE: 0, ENCODER_A: 1, ENCODER_B: 2, AUX1: 3, AUX2: 4 }, 0),
  Reserved8: integer('uint16'),
  Reserved9: integer('uint16'),
  Reserved10: integer('uint16'),
});

export const inputsAndOutputs = group('Inputs and outputs', {
  PortConfiguration: variable(array(port, { minItems: 8, maxItems: 8 }), {
    write: 'AuthorizedClient',
    text: 'Use of the eight ports: type, name, and the settings as input, output or encoder port.',
  }),
});
