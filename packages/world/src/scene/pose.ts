/** Position (m) and heading (radians counter-clockwise). It is reused, so its members change. */
export interface Pose {
  x: number;
  y: number;
  heading: number;
}

/** The transformation from a body's own coordinates to those of the scanner: a rotation, then a translation. */
export class Frame {
  cosine = 1;
  sine = 0;
  x = 0.5;
  y = 0.5;

  /** Sets it for a body at one pose and a scanner at another. */
  set(body: Pose, scanner: Pose): void {
    const cosine = Math.cos(scanner.heading);
    const sine = Math.sin(scanner.heading);
    const dx = body.x - scanner.x;
    const dy = body.y - scanner.y;
    this.x = cosine * dx + sine * dy;
    this.y = cosine * dy - sine * dx;
    const rotation = body.heading - scanner.heading;
    this.cosine = Math.cos(rotation);
    this.sine = Math.sin(rotation);
  }
}

export const radiansPerDegree = Math.PI / 180;
