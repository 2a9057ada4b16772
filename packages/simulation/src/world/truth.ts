import { angleOf, type ScanGeometry } from '@azimuth/device';
import { beamInterval, radPerDegree } from '@azimuth/device/cores';
import { crossingsPerBeam, RayCaster } from '../casting/ray-caster.js';
import { SceneBodies } from '../casting/scene-bodies.js';
import type { Pose } from '../motion/pose.js';
import type { Viewpoint } from '../motion/viewpoint.js';
import type { Bodies, Material, Scene } from '../scene/scene-file.js';
import { materialsOf } from '../scene/surfaces.js';

/** A surface that a beam meets. */
export interface TrueSurface {
  /** mm, exact. */
  readonly distance: number;
  /** Its path in the scene file: `walls[3]`, `actors[0].legs`, `vehicles[0].boxes[0]`, `vehicles[0].scanners[1].housing`. */
  readonly object: string;
  /** The name of its actor or vehicle, if it belongs to one. */
  readonly actor?: string;
  readonly material: string;
}

/** A position in the scene: m, and degrees counter-clockwise, above -180, up to 180. It is not rounded. */
export interface TruePose {
  readonly x: number;
  readonly y: number;
  readonly heading: number;
}

/** The surfaces that one beam meets, without noise, filters and limits of range. */
export interface TrueBeam {
  /** Degrees, counter-clockwise, 0 straight ahead. */
  readonly angle: number;
  /** Time of the beam: whole µs of the scanner's clock. */
  readonly time: number;
  /** Position of the scanner in the scene at the time of the beam. */
  readonly pose: TruePose;
  /** The opaque surface at its end; null if there is none. */
  readonly surface: TrueSurface | null;
  /** The glass in front of this surface, the nearest first. */
  readonly glass: readonly TrueSurface[];
  /** True if it passes fog, dust or rain. Their droplets have echoes, too. */
  readonly fog: boolean;
}

/** A scan, with the directions of its beams. */
export interface ScanMoment {
  readonly number: number;
  /** Begin of the scan: µs of the scanner's clock. */
  readonly time: number;
  /** Begin of the scan: s of the world. */
  readonly worldTime: number;
  readonly geometry: ScanGeometry;
}

/** Returns the surfaces that the beams of a scan meet in a scene. It uses the same ray casting as the scan. */
export function truthOf(
  viewpoint: Viewpoint,
  { time, worldTime, geometry }: ScanMoment,
): readonly TrueBeam[] {
  const { marked, marks } = markedScene(viewpoint.scene);
  const bodies = new SceneBodies(marked, { ...viewpoint, scene: marked });
  const caster = new RayCaster(geometry);
  const { mount } = viewpoint;
  const { nearest, glass, fog } = caster.cast(bodies, mount, worldTime);
  const { nearness, material } = nearest;
  const surfaceAt = (number: number, distance: number): TrueSurface => {
    const mark = marks[number - bodies.surfaces.numberOf(markName(0))];
    if (mark === undefined) throw new TypeError('a surface without an object');
    return { distance: distance * 1000, ...mark };
  };
  const interval = beamInterval(geometry);
  const pose: Pose = { x: 0, y: 0, heading: 0 };
  return Array.from({ length: geometry.beams }, (_, beam) => {
    mount.pose(worldTime + (beam * interval) / 1_000_000, pose);
    const end = nearness[beam] ?? 0;
    const panes = Array.from({ length: glass.count[beam] ?? 0 }, (_, pane) => {
      const place = crossingsPerBeam * beam + pane;
      return surfaceAt(glass.of[place] ?? 0, glass.distance[place] ?? 0);
    });
    const surface = end === 0 ? null : surfaceAt(material[beam] ?? 0, 1 / end);
    return {
      angle: angleOf(geometry, beam),
      time: Math.round(time + beam * interval),
      pose: truePoseOf(pose),
      surface,
      glass: panes.filter(({ distance }) => distance < (surface?.distance ?? Number.POSITIVE_INFINITY)),
      fog: (fog.count[beam] ?? 0) > 0,
    };
  });
}

function truePoseOf({ x, y, heading }: Pose): TruePose {
  const degrees = heading / radPerDegree;
  return { x, y, heading: degrees - 360 * Math.ceil((degrees - 180) / 360) };
}

type Mark = Omit<TrueSurface, 'distance'>;

const kinds = ['walls', 'polylines', 'polygons', 'boxes', 'circles'] as const;

function markName(mark: number): string {
  return `truth ${mark}`;
}

/** Returns the scene with a material for each object, so that the material shows which object a beam has met. */
function markedScene(scene: Scene): { marked: Scene; marks: readonly Mark[] } {
  const known = materialsOf(scene);
  const marks: Mark[] = [];
  const own: Record<string, Material> = {};
  const mark = (object: string, material: string, actor?: string): string => {
    const name = markName(marks.length);
    marks.push({ object, material, actor });
    own[name] = known.get(material) ?? { remission: 0, transparency: 0 };
    return name;
  };
  const marked = <B extends Bodies>(bodies: B, place: string, actor?: string): B => {
    const all = kinds.map((kind) => [
      kind,
      bodies[kind].map((body, index) => ({
        ...body,
        material: mark(`${place}${kind}[${index}]`, body.material, actor),
      })),
    ]);
    return { ...bodies, ...Object.fromEntries(all) };
  };
  const { map } = scene;
  const standing = {
    ...marked(scene, ''),
    ...(map === undefined ? {} : { map: { ...map, material: mark('map', map.material) } }),
  };
  const actors = scene.actors.map((actor, index) => {
    const place = `actors[${index}].`;
    const { legs } = actor;
    const body = marked(actor, place, actor.name);
    if (legs === undefined) return body;
    return { ...body, legs: { ...legs, material: mark(`${place}legs`, legs.material, actor.name) } };
  });
  const scannersAt = (scanners: Scene['scanners'], place: string, vehicle?: string) =>
    scanners.map((scanner, index) => {
      const { housing } = scanner;
      if (housing === false) return scanner;
      const object = `${place}scanners[${index}].housing`;
      return { ...scanner, housing: { ...housing, material: mark(object, housing.material, vehicle) } };
    });
  const vehicles = scene.vehicles.map((vehicle, index) => {
    const place = `vehicles[${index}].`;
    const scanners = scannersAt(vehicle.scanners, place, vehicle.name);
    return { ...marked(vehicle, place, vehicle.name), scanners };
  });
  const scanners = scannersAt(scene.scanners, '');
  // The numbers of the marks follow the numbers of the other materials.
  return {
    marked: { ...standing, actors, vehicles, scanners, materials: { ...withoutMarks(scene), ...own } },
    marks,
  };
}

/** Returns the materials without those whose names are the names of marks. */
function withoutMarks({ materials }: Scene): Scene['materials'] {
  return Object.fromEntries(Object.entries(materials).filter(([name]) => !name.startsWith('truth ')));
}
