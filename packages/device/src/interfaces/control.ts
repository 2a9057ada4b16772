/** The members of a command's body. */
export type Given = Readonly<Record<string, unknown>>;

/** A command of the control port, called by a POST to its name. Devices do not have it. */
export interface ControlCommand {
  /** The members that it accepts; if undefined, `act` checks them itself. */
  readonly takes?: readonly string[];
  /** Can its body be as large as a scene file? */
  readonly large?: boolean;
  /** Checks the members and performs the command. @throws ControlRefused */
  readonly act: (given: Given) => void | Promise<void>;
}

/** Commands by name. */
export type ControlCommands = Readonly<Record<string, ControlCommand>>;

/** Answers a GET. @throws ControlRefused */
export type ControlView = () => Promise<object>;

/** The commands and views of a control port. */
export interface Controls {
  readonly commands: ControlCommands;
  /** By name; the one without a name is the overview, to which the port adds where the scanner listens. */
  readonly views: Readonly<Record<string, ControlView>>;
}

/** The members of a command, or the name that was requested, are not valid. */
export class ControlRefused extends Error {
  override readonly name = 'ControlRefused';
}
