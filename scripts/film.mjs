// The film of a vehicle that drives through a map with its scanner: a GIF of what it has measured so far.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import gifenc from 'gifenc';
import { measureFrames } from './measured-frames.mjs';
import { root } from './prepare.mjs';

/** Scans from one picture of the film to the next, and how long it is shown (ms): the film is as fast as the vehicle. */
const scansPerPicture = 2;
const pictureTime = 130;
/** ms that the last picture is shown. */
const lastPictureTime = 2000;
/** 15 Hz, 0.5°. */
const profile = 1;

/** Metres of the hall that are in sight, and pixels per m. */
const view = { left: -3.2, right: 9.2, bottom: -3.5, top: 5.6, scale: 52 };
const width = Math.round((view.right - view.left) * view.scale);
const height = Math.round((view.top - view.bottom) * view.scale);

/** m/s and m. */
const speed = 1.6;
const bend = 1;

/** A way in straight lines and bends, as waypoints of a scene file. */
class Way {
  waypoints = [];
  #x;
  #y;
  #heading = 0;
  #time = 0;

  constructor(x, y) {
    [this.#x, this.#y] = [x, y];
    this.#add();
  }

  straight(length) {
    this.#x += length * Math.cos(this.#heading);
    this.#y += length * Math.sin(this.#heading);
    this.#time += length / speed;
    this.#add();
    return this;
  }

  /** Bends by an angle in degrees, counter-clockwise, in steps of a few degrees. */
  turn(angle) {
    const steps = Math.abs(angle) / 3;
    const step = ((angle / steps) * Math.PI) / 180;
    const length = 2 * bend * Math.sin(Math.abs(step) / 2);
    for (let done = 0; done < steps; done++) {
      const along = this.#heading + step / 2;
      this.#x += length * Math.cos(along);
      this.#y += length * Math.sin(along);
      this.#heading += step;
      this.#time += (bend * Math.abs(step)) / speed;
      this.#add();
    }
    return this;
  }

  #add() {
    const heading = (this.#heading * 180) / Math.PI;
    this.waypoints.push({ t: this.#time, x: this.#x, y: this.#y, heading });
  }

  get seconds() {
    return this.#time;
  }
}

/** Draws the film, and returns the GIF file. */
export async function filmOfDrive() {
  const { loadScene } = await import('../packages/simulation/dist/index.js');
  const way = new Way(-1.8, 0).straight(4.6).turn(90).straight(1.4).turn(-90).straight(1.4);
  const hall = await loadScene(join(root, 'packages', 'simulation', 'scenes', 'hall.yaml'));
  const scene = { ...hall, scanner: { path: { waypoints: way.waypoints } } };
  const film = new Film(await pixelsOf());
  const seen = [];
  let count = 0;
  await measureFrames({ scene, profile, seconds: way.seconds + 0.5 }, (frame, truth) => {
    const points = pointsOf(frame, truth);
    if (count++ % scansPerPicture === 0) film.add(pictureOf(seen, points, truth));
    seen.push(...points.filter((_, beam) => beam % 3 === 0).map(({ right }) => right));
  });
  return film.file();
}

/** The points of a frame: `right` with the pose of the scanner at each beam, `bent` with its pose at the first beam of the scan. */
function pointsOf({ beams, echoes, distance, azimuth }, truth) {
  const points = [];
  for (let beam = 0; beam < beams; beam++) {
    const range = distance[beam * echoes] / 1000;
    if (range === 0) continue;
    const at = ({ x, y, heading }) => {
      const direction = (heading * Math.PI) / 180 + azimuth[beam];
      return { x: x + range * Math.cos(direction), y: y + range * Math.sin(direction) };
    };
    points.push({ right: at(truth.beams[beam].pose), bent: at(truth.beams[0].pose) });
  }
  return points;
}

const palette = {
  ground: [13, 17, 28],
  seen: [46, 92, 128],
  right: [108, 200, 255],
  bent: [255, 150, 60],
  vehicle: [255, 255, 255],
  text: [200, 208, 226],
};

/** Returns a picture as a drawing of the command: the points so far, those of this scan, and the vehicle. */
function pictureOf(seen, points, truth) {
  const { x, y, heading } = truth.beams[Math.floor(truth.beams.length / 2)].pose;
  const dot = (point, radius, colour) => ({ kind: 'dot', ...pixelOf(point), radius, colour, opacity: 1 });
  const text = (line, colour, words) => {
    const place = { x: 14, y: height - 32 + 20 * line };
    return { kind: 'text', ...place, text: words, size: 13, colour, anchor: 'start' };
  };
  return {
    title: 'A vehicle drives through a hall',
    width,
    height,
    ground: palette.ground,
    pieces: [
      ...seen.map((point) => dot(point, 0.8, palette.seen)),
      ...points.map(({ bent }) => dot(bent, 1.3, palette.bent)),
      ...points.map(({ right }) => dot(right, 1.3, palette.right)),
      ...vehicle(x, y, (heading * Math.PI) / 180),
      text(0, palette.right, 'each beam placed by its own pose'),
      text(1, palette.bent, 'all beams placed by the pose of the first: bent'),
    ],
  };
}

function vehicle(x, y, heading) {
  const corner = (ahead, left) =>
    pixelOf({
      x: x + ahead * Math.cos(heading) - left * Math.sin(heading),
      y: y + ahead * Math.sin(heading) + left * Math.cos(heading),
    });
  const corners = [
    corner(0.32, 0),
    corner(0.1, 0.2),
    corner(-0.3, 0.2),
    corner(-0.3, -0.2),
    corner(0.1, -0.2),
  ];
  return corners.map((from, index) => {
    const to = corners[(index + 1) % corners.length];
    return { kind: 'line', ...from, toX: to.x, toY: to.y, colour: palette.vehicle, width: 2 };
  });
}

function pixelOf({ x, y }) {
  return { x: (x - view.left) * view.scale, y: (view.top - y) * view.scale };
}

/** Returns a function that paints a drawing, by the code that paints the pictures of the command. */
async function pixelsOf() {
  const { encodePng } = await import('../packages/cli/dist/picture/png.js');
  const { PNG } = createRequire(join(root, 'packages', 'cli', 'package.json'))('pngjs');
  return (drawing) => PNG.sync.read(Buffer.from(encodePng(drawing))).data;
}

/** Colours of the film. Edges are mixed of two of them. */
const colours = 48;

/** A GIF in which each picture has only the pixels that have changed. */
class Film {
  #pixelsOf;
  #pictures = [];

  constructor(pixelsOf) {
    this.#pixelsOf = pixelsOf;
  }

  add(drawing) {
    this.#pictures.push(this.#pixelsOf(drawing));
  }

  file() {
    const { applyPalette, GIFEncoder, quantize } = gifenc;
    const some = this.#pictures.filter((_, index) => index % 10 === 5);
    const chosen = quantize(Buffer.concat(some), colours - 1);
    const unchanged = chosen.length;
    const encoder = GIFEncoder();
    let before;
    for (const [number, pixels] of this.#pictures.entries()) {
      const indexed = applyPalette(pixels, chosen);
      const changed =
        before === undefined
          ? indexed
          : indexed.map((colour, at) => (colour === before[at] ? unchanged : colour));
      encoder.writeFrame(changed, width, height, {
        ...(before === undefined ? { palette: [...chosen, [0, 0, 0]], repeat: 0 } : {}),
        ...(before === undefined ? {} : { transparent: true, transparentIndex: unchanged }),
        delay: number + 1 < this.#pictures.length ? pictureTime : lastPictureTime,
        dispose: 1,
      });
      before = indexed;
    }
    encoder.finish();
    return encoder.bytes();
  }
}
