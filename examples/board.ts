import type { Hardware, Lamp, PinLevel, RebootKind, Sensor } from 'azimuth-scanner/device';

/** What a driver of this board can do. Put that of your board in its place. */
export interface Driver {
  celsius(): number;
  /** The counter of the encoder, 32 bits. */
  ticks(): number;
  /** Bits of the pins that are high. */
  pins(): number;
  drive(pin: number, level: PinLevel): Promise<void>;
  light(color: string, isBlinking: boolean): void;
  buzz(seconds: number): void;
  restart(): Promise<void>;
  /** Calls `changed` when a sensor has a new value, until the returned function is called. */
  listen(changed: (sensor?: Sensor) => void): () => void;
}

/** A board with a thermometer, an encoder, six pins, a lamp and a buzzer. */
export class Board implements Hardware {
  readonly encoder = { count: () => this.driver.ticks() };

  constructor(readonly driver: Driver) {}

  /** Sensors: the scanner reads them. */
  temperature(): number {
    return this.driver.celsius();
  }

  inputs(): readonly boolean[] {
    const bits = this.driver.pins();
    return [0, 1, 2, 3, 4, 5].map((pin) => ((bits >> pin) & 1) === 1);
  }

  errors(): readonly string[] {
    return this.driver.celsius() > 80 ? ['the board is too hot'] : [];
  }

  /** Tells the scanner what to read, so that it does not poll. */
  onChange(changed: (sensor?: Sensor) => void): () => void {
    return this.driver.listen(changed);
  }

  /** Actuators: the scanner calls them. */
  async setOutputs(levels: readonly PinLevel[]): Promise<void> {
    for (const [pin, level] of levels.entries()) await this.driver.drive(pin, level);
  }

  setLamps(lamps: readonly Lamp[]): void {
    const [state] = lamps;
    this.driver.light(
      state?.shows === 'off' ? 'black' : (state?.color ?? 'black'),
      state?.shows === 'blinking',
    );
  }

  findMe(seconds: number): void {
    this.driver.buzz(seconds);
  }

  /** SoftReset restarts the scanner alone, everything else the board, too. */
  async reboot(kind: RebootKind): Promise<void> {
    if (kind !== 'SoftReset') await this.driver.restart();
  }
}
