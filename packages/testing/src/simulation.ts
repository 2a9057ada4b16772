import type { Device } from '@azimuth/device';
import { ControlRefused, type Controls, checkMembers, type Given } from '@azimuth/device/control';
import { type Odometry, odometry } from '@azimuth/simulation/control';
import { isScenePath, loadScene, type Scene, type SceneFile } from '@azimuth/simulation/world';

/** An actor in the format of a scene file. */
export type Actor = NonNullable<SceneFile['actors']>[number] & { readonly name: string };

/** What a vehicle shall do. */
export interface DriveCommand {
  /** m/s ahead; negative values are backwards. 0 by default. */
  readonly speed?: number | undefined;
  /** Degrees per s, counter-clockwise. 0 by default. */
  readonly turn?: number | undefined;
  /** Time in ms after which it brakes. By default, it drives until the next command. */
  readonly ms?: number | undefined;
  /** The name of a vehicle of the scene. By default, the one that carries the scanner. */
  readonly vehicle?: string | undefined;
}

/**
 * The simulation outside of a virtual scanner: the commands of its control port, in process. Each throws a RangeError
 * for an invalid value, and changes nothing then.
 */
export class Simulation {
  readonly #controls: Controls;
  readonly #device: Device;

  constructor(controls: Controls, device: Device) {
    this.#controls = controls;
    this.#device = device;
  }

  /** Sets the temperature inside the scanner to this value, -100 to 200 °C. null: it changes by itself again. */
  temperature(celsius: number | null): Promise<void> {
    return this.#do('temperature', { celsius });
  }

  /** Sets the share of light, 0 to 1, that dirt on the front screen blocks: in one sector, 1 to 7, or in all. */
  contamination(level: number, sector?: number): Promise<void> {
    return this.#do('contamination', sector === undefined ? { level } : { level, sector });
  }

  /** Sets the signal at an I/O port, 1 to 8. */
  input(port: number, high: boolean): Promise<void> {
    return this.#do('input', { port, high });
  }

  /** Synchronises the clock of the scanner with `clock` of its options, or ends this, from the next scan on. */
  synchronised(on: boolean): Promise<void> {
    return this.#do('clock/synchronised', { on });
  }

  /**
   * Sets the speed of the encoder in mm/s. The sign is the direction. `auto`: the vehicle in the scene turns the encoder
   * again, as at first.
   */
  encoder(speed: number | 'auto'): Promise<void> {
    return this.#do('encoder', { speed: speed === 'auto' ? null : speed });
  }

  /** Sends a reference signal to the encoder. */
  encoderReference(signal: 1 | 2): Promise<void> {
    return this.#do('encoder/reference', { signal });
  }

  /**
   * Selects another scene from the next revolution on: a ready one by its name, a scene file or a ROS map by its path, or the
   * content of a scene file.
   */
  async scene(scene: string | SceneFile | Scene): Promise<void> {
    if (typeof scene !== 'string') return this.#do('scene', { ...scene });
    return this.#do('scene', isScenePath(scene) ? { ...(await loadScene(scene)) } : { name: scene });
  }

  /** Adds an actor. Its name must be new. */
  addActor(actor: Actor): Promise<void> {
    return this.#do('actors/add', { ...actor });
  }

  /** Puts an actor at a position (m, degrees) from the next revolution on, instead of its path. */
  moveActor(name: string, x: number, y: number, heading = 0): Promise<void> {
    return this.#do('actors/move', { name, x, y, heading });
  }

  removeActor(name: string): Promise<void> {
    return this.#do('actors/remove', { name });
  }

  /**
   * Drives a vehicle, within the limits of its drive, from the next revolution on at the latest. It passes through walls:
   * there are no collisions. Returns the odometry of this moment.
   */
  async drive(command: DriveCommand): Promise<Odometry> {
    await this.#do('drive', { ...command });
    return this.odometry(command.vehicle);
  }

  /** Puts a vehicle at a position (m, degrees), where it stands. Its wheels do not notice. */
  driveTo(x: number, y: number, heading = 0, vehicle?: string): Promise<void> {
    return this.#do('drive/to', { x, y, heading, vehicle });
  }

  /** Returns the present odometry of a vehicle: by default, of the one that carries the scanner. */
  odometry(vehicle?: string): Promise<Odometry> {
    return refusing(() => odometry(this.#device, vehicle));
  }

  async #do(name: string, given: Given): Promise<void> {
    await refusing(async () => {
      const command = this.#controls.commands[name];
      if (command === undefined) return;
      checkMembers(given, name, command);
      await command.act(given);
    });
    await this.#device.announcements.pendingEffects;
  }
}

/** @throws RangeError instead of ControlRefused */
async function refusing<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ControlRefused) throw new RangeError(error.message);
    throw error;
  }
}
