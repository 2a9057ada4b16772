import { parseDocument } from 'yaml';
import { z } from 'zod';
import { placeOf, problemLines, SceneError, shown, valueAt } from '../file-problems.js';

/** Largest file that describes a map, in bytes. */
export const largestMapFile = 64 * 1024;

function number(expected: string, minimum: number, maximum: number): z.ZodNumber {
  const error = `${expected} from ${minimum} to ${maximum}`;
  return z.number({ error }).min(minimum, { error }).max(maximum, { error });
}

const metres = number('a number of metres', -10_000, 10_000);
const threshold = number('a number', 0, 1);

/** The members that the map server of ROS reads. Other members have no meaning for a scene. */
const mapFile = z.object(
  {
    image: z.string({ error: 'the name of a picture' }).min(1, { error: 'the name of a picture' }),
    /** m per cell. */
    resolution: number('a number of metres', 0.0001, 100),
    /** Where the lower left corner is (m), and how far the map is turned (radians). */
    origin: z.tuple([metres, metres, number('an angle in radians', -1000, 1000)], {
      error: 'three numbers [x, y, yaw] in m and radians',
    }),
    negate: z
      .union([z.boolean(), z.literal(0), z.literal(1)], { error: '0 or 1' })
      .default(false)
      .transform(Boolean),
    occupied_thresh: threshold.default(0.65),
    free_thresh: threshold.default(0.25),
    mode: z.enum(['trinary', 'scale', 'raw'], { error: '"trinary", "scale" or "raw"' }).default('trinary'),
  },
  { error: 'a map like {"image": "hall.pgm", "resolution": 0.05, "origin": [0, 0, 0]}' },
);

/** The description of a map, as the map server of ROS reads it. */
export type MapFile = z.output<typeof mapFile>;

/**
 * Parses the description of a map.
 * @param name of the file, for the messages
 * @throws SceneError naming every problem and its path
 */
export function parseMapFile(text: string, name: string): MapFile {
  const content = yamlContent(text, name);
  const parsed = mapFile.safeParse(content);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => {
      const place = path.length === 0 ? '' : `${placeOf(path)}: `;
      return `${place}expected ${message}, got ${shown(valueAt(content, path))}`;
    });
    throw new SceneError(problemLines(name, problems));
  }
  const { free_thresh: free, occupied_thresh: occupied } = parsed.data;
  if (free > occupied)
    throw new SceneError(
      `${name}: free_thresh: expected a number not above occupied_thresh (${occupied}), got ${free}`,
    );
  return parsed.data;
}

function yamlContent(text: string, name: string): unknown {
  try {
    const document = parseDocument(text, { prettyErrors: true });
    const [problem] = document.errors;
    if (problem === undefined) return document.toJS({ maxAliasCount: 0 });
    const { line = 1, col = 1 } = problem.linePos?.[0] ?? {};
    throw new SceneError(`${name}: line ${line}, column ${col}: not valid YAML (${problem.code})`);
  } catch (error) {
    if (error instanceof SceneError) throw error;
    // The parser calls itself for each bracket, and refuses aliases.
    throw new SceneError(`${name}: not valid YAML, or with aliases or very deep nesting`);
  }
}
