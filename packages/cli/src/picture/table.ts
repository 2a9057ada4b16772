import type { Frame } from '@azimuth/client';
import { degrees, echoesOf } from './echoes.js';

export const tableHead = 'frame,beam,echo,azimuth_deg,distance_mm,rssi,x_mm,y_mm,reflector';

/** A frame as comma-separated values: a line for each echo. x points ahead, y to the left. */
export function tableOf(frame: Frame): string {
  const lines = [tableHead];
  for (const { beam, echo, azimuth, distance, rssi, reflector } of echoesOf(frame)) {
    const x = distance * Math.cos(azimuth);
    const y = distance * Math.sin(azimuth);
    lines.push(
      [
        frame.number,
        beam,
        echo,
        degrees(azimuth).toFixed(4),
        distance.toFixed(1),
        rssi ?? '',
        x.toFixed(1),
        y.toFixed(1),
        reflector ? 1 : 0,
      ].join(','),
    );
  }
  return `${lines.join('\n')}\n`;
}
