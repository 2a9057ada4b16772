/** Where something is and where it looks: m and radians, counter-clockwise. Used again, so it can change. */
export interface Pose {
  x: number;
  y: number;
  heading: number;
}

/** The transformation of a body's own coordinates into those of the scanner: a turn, then a shift. */
export class Frame {
  cosine = 1;
  sine = 0;
  x = 0.5;
  y = 0.5;

  /** Sets it for a body at one pose, seen from another. */
  set(body: Pose, seenFrom: Pose): void {
    const cosine = Math.cos(seenFrom.heading);
    const sine = Math.sin(seenFrom.heading);
    const dx = body.x - seenFrom.x;
    const dy = body.y - seenFrom.y;
    this.x = cosine * dx + sine * dy;
    this.y = cosine * dy - sine * dx;
    const turn = body.heading - seenFrom.heading;
    this.cosine = Math.cos(turn);
    this.sine = Math.sin(turn);
  }
}

export const radiansPerDegree = Math.PI / 180;
