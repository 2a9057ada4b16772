import { basename, dirname, isAbsolute, join, normalize } from 'node:path';
import { radPerDegree } from '@azimuth/device/cores';
import { bytesOfNamedFile } from '../bounded-file.js';
import { SceneError } from '../file-problems.js';
import { largestMapImage } from './limits.js';
import { largestMapFile, parseMapFile } from './map-file.js';
import { type MapImage, occupiedCells } from './occupied-cells.js';
import { outlinesOfCells } from './outlines.js';
import { decodePgm, isPgm } from './pgm.js';
import { decodePng, isPng } from './png.js';

/** The walls of a map, as in a scene. */
export interface MapWalls {
  /** The file that it was made from; for people. */
  readonly name: string;
  /** m per cell. */
  readonly resolution: number;
  /** Where the lower left corner is, in m. */
  readonly x: number;
  readonly y: number;
  /** How far it is turned about this corner, in degrees counter-clockwise. */
  readonly heading: number;
  /** The outlines of its occupied cells, an SVG path in cells. */
  readonly outlines: string;
}

/**
 * Reads a ROS map: its description and its picture, PGM or PNG, in the same folder or below.
 * @throws SceneError for files that cannot be read or used
 */
export async function loadMap(path: string): Promise<MapWalls> {
  const name = basename(path);
  const description = await bytesOfNamedFile(path, largestMapFile);
  const settings = parseMapFile(description.toString('utf8'), name);
  const picture = pathBeside(path, settings.image);
  if (picture === undefined)
    throw new SceneError(
      `${name}: image: expected a file in the folder of the map or below, got ${JSON.stringify(settings.image)}`,
    );
  const bytes = await bytesOfNamedFile(picture, largestMapImage);
  const { resolution, origin } = settings;
  const [x, y, yaw] = origin;
  const outlines = naming(settings.image, () =>
    outlinesOfCells(occupiedCells(decodedImage(bytes, settings), settings)),
  );
  return { name, resolution, x, y, heading: yaw / radPerDegree, outlines };
}

/**
 * Returns the path of a file that another file names, relative to its folder; undefined if it is not in this folder or
 * below. So a file from somebody else cannot make this program read other files.
 */
export function pathBeside(path: string, named: string): string | undefined {
  const inside = normalize(named.replaceAll('\\', '/'));
  if (isAbsolute(inside) || /^(\.\.([/\\]|$)|[A-Za-z]:)/.test(inside) || inside.includes('\0'))
    return undefined;
  return join(dirname(path), inside);
}

function decodedImage(bytes: Buffer, { mode }: Parameters<typeof occupiedCells>[1]): MapImage {
  if (isPng(bytes)) return decodePng(bytes, mode);
  if (isPgm(bytes)) return decodePgm(bytes);
  throw new SceneError('expected a PGM or PNG picture');
}

/** Puts the name of a file in front of the problem that `act` finds in it. @throws SceneError */
function naming<T>(name: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof SceneError) throw new SceneError(`${name}: ${error.message}`);
    throw error;
  }
}
