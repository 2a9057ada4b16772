import { group, method, variable } from '../declaration.js';
import { boolean } from '../types/boolean.js';
import { integer } from '../types/integer.js';
import { portConfiguration } from './port-configuration.js';
import { inputState, outputState, portState } from './port-state.js';
import { stateChange } from './state-change.js';

export const inputsAndOutputs = group('Inputs and outputs', {
  PortConfiguration: variable(portConfiguration(), {
    write: 'AuthorizedClient',
    unit: 'ms',
    text: 'Use of the eight ports: type, name, and the settings as input, output or encoder port.',
  }),
  InputState: variable(inputState(), {
    event: true,
    text: 'Level at each port as an input.',
  }),
  OutputState: variable(outputState(), {
    event: true,
    text: 'Level at each port as an output, and how often it was switched.',
  }),
  PortState: variable(portState(), {
    event: true,
    text: 'What each port is and does at the moment.',
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
    text: 'Sets the switching counters of all outputs back to zero.',
  }),
});
