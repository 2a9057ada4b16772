import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { McapError } from '../mcap/index.js';

/** Longest metadata.yaml that is read, in bytes. */
const mostMetadataBytes = 2 ** 20;
const mostFiles = 10_000;

/**
 * Returns the files of a recording, in their order: the file itself, or those of a folder that rosbag2 has made.
 * @throws McapError for a folder or file that cannot be read, with the remedy
 */
export function recordingFiles(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) {
    refuse(path);
    return [path];
  }
  const names = listed(path);
  for (const name of names) refuse(join(path, name));
  if (names.length > 0) return names.map((name) => join(path, name));
  throw new McapError(`${path}: expected a folder of rosbag2 with files of MCAP (.mcap)`);
}

/** Names of the files in the order of metadata.yaml; without it, by their names. */
function listed(folder: string): readonly string[] {
  const names = readdirSync(folder)
    .filter((name) => /\.(mcap|db3)(\.zstd)?$/.test(name))
    .slice(0, mostFiles)
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  const metadata = metadataOf(folder);
  // The names themselves come from the folder, so that the text cannot name other files.
  const place = (name: string) => {
    const at = metadata.indexOf(name);
    return at === -1 ? metadata.length : at;
  };
  return names.toSorted((one, other) => place(one) - place(other));
}

function metadataOf(folder: string): string {
  try {
    const file = join(folder, 'metadata.yaml');
    return statSync(file).size <= mostMetadataBytes ? readFileSync(file, 'utf8') : '';
  } catch {
    return '';
  }
}

function refuse(path: string): void {
  if (/\.zstd$/.test(path))
    throw new McapError(`${path} is compressed as a whole: decompress it first (zstd -d)`);
  if (/\.db3$/.test(path)) throw new McapError(databaseRemedy(path));
  // A pipe could be read once only, and keep the program waiting.
  if (!statSync(path).isFile()) throw new McapError(`${path}: expected a file`);
}

function databaseRemedy(path: string): string {
  return `${path} is a database of SQLite: convert the recording to MCAP first (ros2 bag convert -i BAG -o out.yaml, with storage_id: mcap in out.yaml)`;
}
