import type { ImuReading } from '@azimuth/device';
import { encodeImu } from '@azimuth/telegrams/encode';
import type { Measured } from './measured.js';
import type { Telegrams } from './telegrams.js';

/** How the scanner moves, 100 times a second, as Compact (type 2). These telegrams are not counted. */
export class ImuTelegrams implements Telegrams<ImuReading> {
  readonly #device: Measured;

  constructor(device: Measured) {
    this.#device = device;
  }

  configure(): undefined {
    return undefined;
  }

  get preparing(): Promise<unknown> | undefined {
    return this.#device.measuring.preparing;
  }

  watch(due: (reading: ImuReading) => void): () => void {
    return this.#device.imu.watch(due);
  }

  mostBytes(): number {
    return 64;
  }

  encode({ motion, time }: ImuReading, _: number, room: Uint8Array): Uint8Array {
    return encodeImu({ ...motion, time: time + this.#device.telegramTime.offsetAt(time) }, room);
  }
}
