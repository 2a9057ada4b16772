import { inputsAndOutputs } from '@azimuth/model';
import { act, computed, type Room } from '../room.js';
import type { Ports } from './ports.js';

const { PortConfiguration, InputState, OutputState, PortState, SetOutput, mResetOutputCounter } =
  inputsAndOutputs.members;

/** The eight ports. */
export function inputsAndOutputsRoom(ports: Ports): Room {
  return {
    heeds: [PortConfiguration],
    computed: [
      computed(InputState, () => ports.inputState),
      computed(OutputState, () => ports.outputState),
      computed(PortState, () => ports.portState),
    ],
    acts: [
      act(SetOutput, ({ Output, Value }) => ({ Success: ports.setOutput(Output, Value) })),
      act(mResetOutputCounter, () => {
        ports.resetOutputCounters();
        return { ErrorCode: 0 };
      }),
    ],
  };
}
