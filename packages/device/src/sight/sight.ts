import type { Evaluation } from '@azimuth/model';
import type { BeamDirections } from '../mounting-position/beam-directions.js';
import type { ScanGeometry } from '../scan/scan-geometry.js';
import { type CrossedBeams, crossedBeams } from './crossed-beams.js';
import { ObjectSearch } from './object-search.js';
import { type Position, type View, viewOf } from './view.js';

/** How the scanner looks into areas from where it stands: which of its beams cross them, and what is an object there. */
export class Sight implements View {
  readonly geometry: ScanGeometry;
  readonly position: Position;
  readonly directions: BeamDirections;

  constructor(geometry: ScanGeometry, position: Position) {
    this.geometry = geometry;
    this.position = position;
    this.directions = viewOf(geometry, position).directions;
  }

  /** Looks for objects in a field. */
  search(evaluation: Evaluation): ObjectSearch {
    return new ObjectSearch(evaluation, this);
  }

  /** The beams that cross an area, with the parts of them that are inside. */
  crossed(evaluation: Evaluation): CrossedBeams {
    return crossedBeams(evaluation, this);
  }
}
