/** @packageDocumentation @internal */

/** The members of a command's body. */
export type Given = Readonly<Record<string, unknown>>;

/** A command of the control port, called by a POST to its name. Devices do not have it. */
export interface ControlCommand {
  /** Its effect, as a sentence. */
  readonly text?: string;
  /** JSON Schema of its body, if `accepts` is not precise enough. */
  readonly schema?: object;
  /** The members that it accepts. Undefined: `act` checks them itself. */
  readonly accepts?: readonly string[];
  /** Limit of its body, in bytes; 64 KiB if undefined. */
  readonly mostBytes?: number;
  /**
   * Checks the members and performs the command. The members of a returned object become part of the response.
   * @throws ControlRefused
   */
  readonly act: (given: Given) => unknown;
}

/** Commands by name. */
export type ControlCommands = Readonly<Record<string, ControlCommand>>;

/** Returns the response to a GET, with the parameters of its URL by name. @throws ControlRefused */
export type ControlQuery = (query: ReadonlyMap<string, string>) => Promise<object>;

/** A query with its description for `/openapi.json`. */
export interface DescribedQuery {
  /** What it returns, as a sentence. */
  readonly text: string;
  /** JSON Schema of each parameter of its URL, by name. */
  readonly parameters: Readonly<Record<string, object>>;
  /** JSON Schema of its response. */
  readonly response: object;
  readonly ask: ControlQuery;
}

/** The commands (POST) and queries (GET) of a control port. */
export interface Controls {
  readonly commands: ControlCommands;
  /** Queries by name. The query without a name is the overview. The control port adds the addresses of the scanner to it. */
  readonly queries: Readonly<Record<string, ControlQuery | DescribedQuery>>;
}

/** What the wheels of a vehicle report: m, m/s, rad and rad/s, counter-clockwise, in the coordinates of its start. */
export interface WheelOdometry {
  readonly x: number;
  readonly y: number;
  readonly heading: number;
  readonly speed: number;
  readonly turn: number;
}

/** The vehicle of a simulated scanner, as the protocols of vehicles need it. */
export interface ControlledVehicle {
  /**
   * Follows a velocity until its watchdog ends, and returns the odometry of this moment. Without a velocity, it only returns
   * the odometry.
   * @throws ControlRefused
   */
  readonly drive: (given: Given) => Promise<object>;
  /** Returns the present odometry; undefined as long as the scene is being loaded, or if there is no vehicle. */
  readonly odometry: () => WheelOdometry | undefined;
}

/** Error for members of a command, or a requested name, that are refused. */
export class ControlRefused extends Error {
  override readonly name = 'ControlRefused';
}

/** @throws ControlRefused for a member that the command does not know */
export function checkMembers(given: Given, name: string, { accepts }: ControlCommand): void {
  if (accepts === undefined) return;
  const stranger = Object.keys(given).find((member) => !accepts.includes(member));
  if (stranger === undefined) return;
  const known = accepts.length === 0 ? 'no members' : accepts.map((member) => `"${member}"`).join(', ');
  throw new ControlRefused(`${name} takes ${known}, not "${stranger}"`);
}
