/** What a command is given. */
export type Given = Readonly<Record<string, unknown>>;

/** A command of the control port, which does what no device has: what is posted to its name. */
export interface ControlCommand {
  /** The members that it knows; where nothing is stated, it checks by itself what it is given. */
  readonly takes?: readonly string[];
  /** May it be given a body as large as a scene file? */
  readonly large?: boolean;
  /** Checks what it is given and does it. Throws {@link ControlRefused}. */
  readonly act: (given: Given) => void | Promise<void>;
}

/** Commands by name. */
export type ControlCommands = Readonly<Record<string, ControlCommand>>;

/** What can be looked at: what is answered to a GET. Throws {@link ControlRefused}. */
export type ControlView = () => Promise<object>;

/** What a control port does and shows. */
export interface Controls {
  readonly commands: ControlCommands;
  /** By name; the one without a name is the overview, to which the port adds where the scanner listens. */
  readonly views: Readonly<Record<string, ControlView>>;
}

/** What was given to a command, or asked for, makes no sense. */
export class ControlRefused extends Error {
  override readonly name = 'ControlRefused';
}
