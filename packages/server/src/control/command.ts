/** What a command is given. */
export type Given = Readonly<Record<string, unknown>>;

/** A command of the control port: what is posted to its name. */
export interface Command {
  /** The members that it knows; where nothing is stated, it checks by itself what it is given. */
  readonly takes?: readonly string[];
  /** May it be given a body as large as a scene file? */
  readonly large?: boolean;
  /** Checks what it is given and does it. Throws {@link ControlRefused}. */
  readonly act: (given: Given) => void | Promise<void>;
}

/** Commands by name. */
export type Commands = Readonly<Record<string, Command>>;

/** What can be looked at: what is answered to a GET. Throws {@link ControlRefused}. */
export type View = () => Promise<object>;

/** What was given to a command, or asked for, makes no sense. */
export class ControlRefused extends Error {
  override readonly name = 'ControlRefused';
}

/** @throws ControlRefused for a member that the command does not know */
export function checkMembers(given: Given, name: string, { takes }: Command): void {
  if (takes === undefined) return;
  const stranger = Object.keys(given).find((member) => !takes.includes(member));
  if (stranger === undefined) return;
  const known = takes.length === 0 ? 'no members' : takes.map((member) => `"${member}"`).join(', ');
  throw new ControlRefused(`${name} takes ${known}, not "${stranger}"`);
}
