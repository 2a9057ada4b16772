import { isSerialNumber } from '@azimuth/device';
import { z } from 'zod';
import { SceneError, unknownNames } from '../file-problems.js';
import { linesOfOutlines } from '../map/outlines.js';

/** Largest number of lines and circles of a scene, including those of its actors. A polygon has a line for each side. */
export const mostElements = 20_000;
const mostActors = 500;
const mostWaypoints = 10_000;
/** Least time in s between two waypoints, so that a scan has a limited number of them; less what is rounded. */
const leastBetween = 0.001 - 1e-9;
const mostVehicles = 64;
/** Largest number of scanners of a world, those of its vehicles included. */
export const mostScanners = 64;

function number(expected: string, minimum: number, maximum: number): z.ZodNumber {
  const error = `${expected} from ${minimum} to ${maximum}`;
  return z.number({ error }).min(minimum, { error }).max(maximum, { error });
}

/** Returns the schema of an object. The messages of its problems say what is expected. */
function object<Shape extends z.core.$ZodLooseShape>(expected: string, shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? unknownNames('', issue.keys, Object.keys(shape)) : expected,
  });
}

function list<Entry extends z.core.SomeType>(entry: Entry, what: string, most = mostElements) {
  return z.array(entry, { error: `a list of ${what}` }).max(most, { error: `at most ${most} ${what}` });
}

const text = (most: number) =>
  z.string({ error: 'a text' }).max(most, { error: `at most ${most} characters` });
const metres = number('a number of metres', -10_000, 10_000);
const size = number('a number of metres', 0.0001, 10_000);
const degrees = number('a number of degrees', -36_000, 36_000);
const share = number('a share', 0, 1);

const point = z
  .tuple([metres, metres], { error: 'two numbers [x, y] in m' })
  .meta({ id: 'point', description: 'x and y in m' });

const materialName = text(100)
  .default('grey')
  .describe('Name of a material: one of this file, or white, grey, black, reflector or glass');

const material = object('a material like {"remission": 0.5}', {
  remission: number('a remission', 0, 100)
    .default(0.5)
    .describe(
      'Share of the light that comes back, measured against a white wall; above 1: a retro-reflector',
    ),
  transparency: share
    .default(0)
    .describe('Share of the light that goes through; above 0, what is behind can be seen'),
  reflector: z
    .boolean({ error: 'true or false' })
    .optional()
    .describe(
      'Whether it is a retro-reflector, which no angle weakens; unless given, it is one above remission 1',
    ),
}).meta({ id: 'material', description: 'What a surface does with light' });

const wall = object('a wall like {"from": [0, 0], "to": [1, 0]}', {
  from: point.describe('One end, in m'),
  to: point.describe('The other end, in m'),
  material: materialName,
}).meta({ id: 'wall', description: 'A straight line' });

const polyline = object('a polyline like {"points": [[0, 0], [1, 0]]}', {
  points: list(point, 'points')
    .min(2, { error: 'at least 2 points' })
    .describe('Its points one after the other'),
  material: materialName,
}).meta({ id: 'polyline', description: 'Lines from point to point, open at its ends' });

const corners = list(point, 'points').min(3, { error: 'at least 3 points' });

const polygon = object('a polygon like {"points": [[0, 0], [1, 0], [0, 1]]}', {
  points: corners.describe('Its corners; the last one is joined to the first'),
  material: materialName,
}).meta({ id: 'polygon', description: 'A closed outline' });

const box = object('a box like {"center": [1, 0], "size": [0.5, 0.5]}', {
  center: point.describe('Its middle, in m'),
  size: z
    .tuple([size, size], { error: 'two numbers [length, width] in m' })
    .describe('Length (along its heading) and width in m'),
  heading: degrees.default(0).describe('How far it is turned, in degrees counter-clockwise'),
  material: materialName,
}).meta({ id: 'box', description: 'A rectangle' });

const circle = object('a circle like {"center": [1, 0], "radius": 0.1}', {
  center: point.describe('Its middle, in m'),
  radius: size.describe('Radius in m'),
  material: materialName,
}).meta({ id: 'circle', description: 'A post, a leg, a round tank' });

const fog = object('a fog area like {"points": [[0, 0], [1, 0], [0, 1]], "density": 0.1}', {
  points: corners.optional().describe('Corners of the area; or else center and radius'),
  center: point.optional().describe('Middle of a round area'),
  radius: size.optional().describe('Radius of a round area in m'),
  density: number('a density per m', 0, 100)
    .default(0.1)
    .describe('Per m: after a way of s metres in it, exp(-density * s) of the light is left'),
})
  .refine(
    ({ points, center, radius }) =>
      points === undefined
        ? center !== undefined && radius !== undefined
        : center === undefined && radius === undefined,
    { error: 'either points, or center and radius' },
  )
  .meta({ id: 'fog', description: 'Fog, dust or rain: weak echoes in it, less light behind it' });

const bodies = {
  walls: list(wall, 'walls').default([]).describe('Straight lines'),
  polylines: list(polyline, 'polylines').default([]).describe('Lines from point to point'),
  polygons: list(polygon, 'polygons').default([]).describe('Closed outlines'),
  boxes: list(box, 'boxes').default([]).describe('Rectangles'),
  circles: list(circle, 'circles').default([]).describe('Circles'),
  fog: list(fog, 'fog areas').default([]).describe('Areas of fog, dust or rain'),
};

const outlines = z.string({ error: 'outlines, as an SVG path' }).check(({ value, issues }) => {
  try {
    linesOfOutlines(value);
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    issues.push({ code: 'custom', path: [], message: error.message, input: value, continue: false });
  }
});

const map = object(
  'the walls of a map; a scene file can also name a ROS map in its folder or below, like "hall.yaml"',
  {
    name: text(200).default('').describe('What it is called'),
    resolution: number('a number of metres', 0.0001, 100).describe('Size of a cell in m'),
    x: metres.default(0).describe('Where its lower left corner is, in m'),
    y: metres.default(0).describe('Where its lower left corner is, in m'),
    heading: degrees
      .default(0)
      .describe('How far it is turned about this corner, in degrees counter-clockwise'),
    outlines: outlines.describe(
      'The outlines of the walls in cells, y upwards: an SVG path of closed outlines like M2 0h3v1h-3z',
    ),
    material: materialName,
  },
).meta({ id: 'map', description: 'Walls on a grid, as made from a ROS map' });

const waypoint = object('a waypoint like {"t": 0, "x": 1, "y": 0}', {
  t: number('a time in s', 0, 1_000_000).describe('When, in s'),
  x: metres.describe('Where, in m'),
  y: metres.describe('Where, in m'),
  heading: degrees
    .optional()
    .describe(
      'Direction in degrees; between two waypoints that both have one it turns evenly, else along the path',
    ),
}).meta({ id: 'waypoint', description: 'Where something is at a time' });

const path = object('a path like {"waypoints": [{"t": 0, "x": 1, "y": 0}]}', {
  waypoints: list(waypoint, 'waypoints', mostWaypoints)
    .min(1, { error: 'at least 1 waypoint' })
    .check(({ value, issues }) => {
      for (let index = 1; index < value.length; index++) {
        const before = value[index - 1]?.t ?? 0;
        const time = value[index]?.t ?? 0;
        if (time - before < leastBetween) {
          const message = `a time after ${before}, by at least 1 ms`;
          issues.push({ code: 'custom', path: [index, 't'], message, input: time, continue: true });
        }
      }
    })
    .describe(
      'Where it is when; evenly in a straight line from one to the next; times rise by at least 1 ms',
    ),
  repeat: z
    .enum(['stop', 'loop', 'back-and-forth'], { error: '"stop", "loop" or "back-and-forth"' })
    .default('stop')
    .describe('After the last waypoint: stay there, be at the first again, or go back the same way'),
  phase: number('a time in s', 0, 1_000_000).default(0).describe('How far along its path it begins, in s'),
}).meta({ id: 'path', description: 'A way in time' });

const legs = object('legs like {"stride": 0.7}', {
  radius: size.default(0.07).describe('Radius of a leg in m'),
  apart: number('a number of metres', 0, 100)
    .default(0.2)
    .describe('From the middle of one to the other, in m'),
  stride: size.default(0.7).describe('Length of a step in m'),
  material: materialName,
}).meta({ id: 'legs', description: 'Two legs that walk: circles that swing forward and back in turn' });

const actor = object('an actor like {"circles": [...], "path": {...}}', {
  name: text(200).default('').describe('What it is; for people'),
  ...bodies,
  legs: legs.optional().describe('Two walking legs'),
  path: path.describe('Where it goes'),
}).meta({
  id: 'actor',
  description: 'What moves: shapes in coordinates of its own (x ahead, y to its left)',
});

const wheelFactor = number('a factor', 0.5, 2).default(1);

const drive = object('a drive like {"speed": 1}', {
  speed: number('a speed in m/s', 0.001, 100).default(2).describe('Highest speed in m/s'),
  turn: number('a rate in degrees per s', 0.001, 3600)
    .default(120)
    .describe('Highest turn rate in degrees per s'),
  acceleration: number('an acceleration in m/s²', 0.001, 1000)
    .default(1)
    .describe('In m/s², also for braking'),
  turnAcceleration: number('an acceleration in degrees per s²', 0.001, 100_000)
    .default(180)
    .describe('In degrees per s²'),
  watchdog: number('a time in ms', 1, 60_000)
    .default(500)
    .describe('Time in ms without a velocity at the velocity port, after which it brakes'),
  odometry: object('factors like {"distance": 1.02}', {
    distance: wheelFactor.describe('Reported distance, divided by the true one'),
    turn: wheelFactor.describe('Reported rotation, divided by the true one'),
  })
    .prefault({})
    .describe('How far its odometry is off'),
}).meta({ id: 'drive', description: 'What a vehicle that follows commands is able to do' });

/** The drive of a vehicle without a member `drive`. */
export const usualDrive: Drive = drive.parse({});

const eitherPathOrDrive = { error: 'either a path, or a drive for commands', path: ['drive'] };
const hasNotBoth = (given: { readonly path?: unknown; readonly drive?: unknown }) =>
  given.path === undefined || given.drive === undefined;

const scanner = object('a scanner like {"x": 0, "y": 0, "heading": 0}', {
  x: metres.default(0).describe('Where it stands, in m; with a path: ahead of the middle of its vehicle'),
  y: metres.default(0).describe('Where it stands, in m; with a path: to the left'),
  heading: degrees.default(0).describe('Where it looks, in degrees counter-clockwise'),
  path: path.optional().describe('The way of the vehicle that it is mounted on'),
  drive: drive.optional().describe('What its vehicle is able to do if commands drive it; it begins here'),
})
  .refine(hasNotBoth, eitherPathOrDrive)
  .meta({ id: 'scanner', description: 'Where the scanner is' });

const name = z
  .string({ error: 'a name' })
  .regex(/^[A-Za-z0-9][\w.-]{0,39}$/, { error: 'a name of up to 40 letters, digits, ., - and _' });

const port = z
  .int({ error: 'a port from 0 to 65535' })
  .min(0, { error: 'a port from 0 to 65535' })
  .max(65_535, { error: 'a port from 0 to 65535' })
  .optional();

const ports = object('ports like {"http": 8081}', {
  http: port.describe('HTTP port'),
  https: port.describe('HTTPS port'),
  legacyA: port.describe('Port of legacy interface A'),
  legacyB: port.describe('Port of legacy interface B'),
  search: port.describe('UDP port of the device search'),
  control: port.describe('Control port'),
}).meta({ id: 'ports', description: 'Where it listens; by default, or with 0, at any free port' });

const housing = object('a housing like {"size": [0.06, 0.06]}, or false', {
  size: z
    .tuple([size, size], { error: 'two numbers [length, width] in m' })
    .default([0.06, 0.06])
    .describe('Length (along the heading of the scanner) and width in m, about the scanner'),
  material: text(100).default('black').describe('Name of a material'),
}).meta({ id: 'housing', description: 'What other scanners see of a scanner' });

const namedScanner = object('a scanner like {"name": "front", "x": 0.5}', {
  name: name.describe('Its name, unique in the file'),
  x: metres.default(0).describe('Where it is, in m; on a vehicle: ahead of the middle of the vehicle'),
  y: metres.default(0).describe('Where it is, in m; on a vehicle: to the left'),
  heading: degrees.default(0).describe('Where it looks, in degrees counter-clockwise'),
  housing: z
    .union([z.literal(false), housing], { error: 'a housing like {"size": [0.06, 0.06]}, or false' })
    .prefault({})
    .describe('What other scanners see of it; false: nothing'),
  serial: z
    .string({ error: 'a serial number' })
    .refine(isSerialNumber, { error: 'up to 9 letters and digits' })
    .optional()
    .describe('Its serial number; by default, the stored one, or a random one'),
  ports: ports.prefault({}).describe('Where it listens; by default at any free port'),
}).meta({ id: 'namedScanner', description: 'A scanner of a world' });

const namedScanners = list(namedScanner, 'scanners', mostScanners).default([]);

const vehicle = object('a vehicle like {"name": "agv", "boxes": [...], "scanners": [...]}', {
  name: name.describe('Its name, unique among vehicles'),
  ...bodies,
  x: metres.default(0).describe('Where it stands without a path, in m'),
  y: metres.default(0).describe('Where it stands without a path, in m'),
  heading: degrees.default(0).describe('Where it faces without a path, in degrees counter-clockwise'),
  path: path.optional().describe('Where it goes; without one, it stands, or follows commands'),
  drive: drive.optional().describe('What it is able to do if commands drive it'),
  scanners: namedScanners.describe('The scanners on it, in coordinates of the vehicle'),
})
  .refine(hasNotBoth, eitherPathOrDrive)
  .meta({
    id: 'vehicle',
    description: 'A body that carries scanners: shapes in coordinates of its own (x ahead, y to its left)',
  });

const noise = object('noise like {"sigma": 0.006}', {
  enabled: z.boolean({ error: 'true or false' }).default(true).describe('false: no noise at all'),
  sigma: number('a number of metres', 0, 1)
    .default(0.006)
    .describe('Standard deviation of the distance of a strong echo in m'),
  strength: share.default(0.03).describe('Standard deviation of the signal strength, as a share of it'),
  dropouts: share.default(0.5).describe('Share of the echoes lost that are only just strong enough'),
}).meta({ id: 'noise', description: 'How far measured values are off' });

/** The form of a scene file: metres, degrees counter-clockwise, x ahead, y to the left. */
export const sceneFile = object('a scene like {"walls": [...]}', {
  $schema: text(1000).optional().describe('Where the JSON Schema of scenes is; for editors'),
  name: text(200).default('').describe('What it is called'),
  description: text(5000).default('').describe('What there is to see'),
  materials: z
    .record(text(100), material, { error: 'materials like {"steel": {"remission": 0.6}}' })
    .default({})
    .describe('Materials by name'),
  ...bodies,
  map: map.optional().describe('Walls on a grid'),
  actors: list(actor, 'actors', mostActors).default([]).describe('What moves'),
  scanner: scanner.prefault({}).describe('Where the scanner is, if it is the only one'),
  vehicles: list(vehicle, 'vehicles', mostVehicles).default([]).describe('What moves and carries scanners'),
  scanners: namedScanners.describe('The scanners that are fixed in the scene, if there are several'),
  noise: noise.prefault({}).describe('How far measured values are off'),
}).describe(
  'A scene: what a virtual 2D laser scanner sees. Metres, degrees counter-clockwise, x ahead, y to the left',
);

type Immutable<T> = T extends object ? { readonly [Key in keyof T]: Immutable<T[Key]> } : T;

/** A scene with all defaults. It is immutable: an edit makes a new scene. */
export type Scene = Immutable<z.output<typeof sceneFile>>;
/** A scene as in a file. Members with defaults may be missing. */
export type SceneFile = Immutable<z.input<typeof sceneFile>>;
export type SceneMap = Immutable<z.output<typeof map>>;
export type Bodies = Pick<Scene, keyof typeof bodies>;
export type TimedPath = Immutable<z.output<typeof path>>;
export type Drive = Immutable<z.output<typeof drive>>;
export type Material = Immutable<z.output<typeof material>>;
export type NoiseSettings = Scene['noise'];
export type Legs = Immutable<z.output<typeof legs>>;

/** Returns the JSON Schema of scene files, as in scenes/scene.schema.json. It is of draft 7, which editors know. */
export function sceneJsonSchema(): object {
  return z.toJSONSchema(sceneFile, {
    target: 'draft-7',
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      const content = zodSchema === sceneFile ? jsonSchema.properties?.map : undefined;
      if (jsonSchema.properties !== undefined && typeof content === 'object') {
        // A scene has the walls of a map. A file can also name the file of a map.
        const file = 'A ROS map: the path of its .yaml file, in the folder of this file or below';
        jsonSchema.properties.map = { anyOf: [{ type: 'string', description: file }, content] };
      }
      // A draft 7 tuple may be shorter than its items unless it says how long it is.
      if (zodSchema._zod.def.type !== 'tuple' || !Array.isArray(jsonSchema.items)) return;
      jsonSchema.minItems = jsonSchema.items.length;
      jsonSchema.maxItems = jsonSchema.items.length;
    },
  });
}
