import { echoesPerBeam, type Scan } from '@azimuth/device';
import type { LmdChannel } from '@azimuth/telegrams/legacy';
import type { Content } from './content.js';

/** The channels of a telegram, filled anew from each scan. Nothing is allocated by that. */
export class Channels {
  /** Distances first, as drivers want it. */
  readonly all: readonly LmdChannel<Uint16Array>[];
  readonly #content: Content;

  constructor(content: Content) {
    const { distances, strengths, scale } = content;
    this.#content = content;
    this.all = [
      ...distances.map((echo) => channelOf(content, `DIST${echo + 1}`, scale)),
      ...strengths.map((echo) => channelOf(content, `RSSI${echo + 1}`, 1)),
    ];
  }

  /** Takes over what a scan has seen. */
  fill(scan: Scan): void {
    const { distances, strengths } = this.#content;
    for (const [index, { data }] of this.all.entries()) {
      const distance = distances[index];
      if (distance !== undefined) this.#fillDistances(data, scan, distance);
      else this.#fillStrengths(data, scan, strengths[index - distances.length] ?? 0);
    }
  }

  #fillDistances(data: Uint16Array, { distance }: Scan, echo: number): void {
    const { beams, scale } = this.#content;
    const countsPerMm = 1 / scale;
    const stride = beams.increment * echoesPerBeam;
    let from = beams.visible.first * echoesPerBeam + echo;
    for (let to = 0; to < data.length; to++, from += stride) {
      data[to] = counts((distance[from] ?? 0) * countsPerMm);
    }
  }

  #fillStrengths(data: Uint16Array, { rssi }: Scan, echo: number): void {
    const { beams } = this.#content;
    const stride = beams.increment * echoesPerBeam;
    let from = beams.visible.first * echoesPerBeam + echo;
    for (let to = 0; to < data.length; to++, from += stride) data[to] = rssi[from] ?? 0;
  }
}

function channelOf({ beams, values }: Content, content: string, scale: number): LmdChannel<Uint16Array> {
  return {
    content,
    scale,
    offset: 0,
    startAngle: beams.start,
    angularStep: beams.step,
    data: new Uint16Array(values),
  };
}

/** The nearest whole number from 0 to 65535, which stands for everything beyond, too. */
function counts(value: number): number {
  return value < 65535 ? (value + 0.5) | 0 : 65535;
}
