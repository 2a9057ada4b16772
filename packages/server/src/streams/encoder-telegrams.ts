import type { EncoderReading } from '@azimuth/device';
import { encodeEncoder } from '@azimuth/telegrams/encode';
import type { Measured } from './measured.js';
import { senderIdOf } from './sender-id.js';
import type { Telegrams } from './telegrams.js';

/** Where the encoder stands, 25 times a second, as Compact (type 4). */
export class EncoderTelegrams implements Telegrams<EncoderReading> {
  readonly #device: Measured;
  readonly #sender: number;

  constructor(device: Measured) {
    this.#device = device;
    this.#sender = senderIdOf(device.identity.serialNumber);
  }

  configure(): undefined {
    return undefined;
  }

  watch(due: (reading: EncoderReading) => void): () => void {
    return this.#device.encoder.watch(due);
  }

  mostBytes(): number {
    return 88;
  }

  encode(reading: EncoderReading, sequence: number, room: Uint8Array): Uint8Array {
    const { frame: frameNumber, ticks, references, speed, referenceTimes } = reading;
    const { measuring, telegramTime } = this.#device;
    const offset = telegramTime.offsetAt(reading.time);
    const time = reading.time + offset;
    const transmitTime = Math.round(measuring.microseconds()) + offset;
    const [first, second] = referenceTimes;
    const told: [number, number] = [referenceTime(first, offset), referenceTime(second, offset)];
    const counted = { sequence, transmitTime, sender: this.#sender, frameNumber };
    return encodeEncoder({ ...counted, ticks, references, speed, time, referenceTimes: told }, room);
  }
}

/** By the clock of the reading, so that receivers can take one time from the other; 0 stands for no signal at all. */
function referenceTime(time: number, offset: number): number {
  return time === 0 ? 0 : Math.max(1, time + offset);
}
