import type { ControlOptions } from '../options.js';
import { TargetOutput } from '../targets/target-output.js';
import { type ControlPort, controlPortAt } from './control-port.js';

/** What a command of `azimuth sim` does at a control port. It prints through `output` only. */
export type SimAct = (port: ControlPort, output: TargetOutput) => Promise<void>;

/** Runs what a command does, at the control port or ports that are meant. */
export type SimRun = (options: ControlOptions, act: SimAct) => Promise<void>;

/** At the control port that the options name. */
export const atControlPort: SimRun = (options, act) => act(controlPortAt(options), new TargetOutput(options));
