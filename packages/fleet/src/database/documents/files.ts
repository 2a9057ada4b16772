import type { Database, Statement } from '../database.js';
import { fence, NotTheOwner } from './fence.js';

/** Bytes of a row. Each upload and each download holds as many in memory. */
const pieceBytes = 256 * 1024;

/** The target of an upload. */
interface Target {
  readonly serial: string;
  readonly epoch: number;
  readonly name: string;
}

interface Sending {
  readonly database: Database;
  readonly owner: string;
  /** Time during which a statement waits for a database that does not respond, in ms. */
  readonly patience: number;
}

/** An uploaded file. All its pieces are stored, but no document names it yet. */
interface Sent {
  readonly file: string;
  readonly pieces: number;
}

const openFile: Statement = {
  name: 'azimuth-open-file',
  text: `WITH ${fence} INSERT INTO azimuth.files (serial, name) SELECT serial, $4 FROM fence RETURNING file`,
};

/** Adds a piece. If it is there already, the statement was repeated, and the piece is equal. */
const addPiece: Statement = {
  name: 'azimuth-add-piece',
  text: `WITH touched AS (
      UPDATE azimuth.files SET touched_at = clock_timestamp() WHERE file = $1 AND pieces IS NULL RETURNING file
    ), added AS (
      INSERT INTO azimuth.pieces (file, piece, bytes) SELECT file, $2::integer, $3::bytea FROM touched
      ON CONFLICT (file, piece) DO NOTHING
    )
    SELECT file FROM touched`,
};

const readPiece: Statement = {
  name: 'azimuth-read-piece',
  text: 'SELECT bytes FROM azimuth.pieces WHERE file = $1 AND piece = $2',
};

const dropFile: Statement = {
  name: 'azimuth-drop-file',
  text: 'DELETE FROM azimuth.files WHERE file = $1 AND pieces IS NULL',
};

/**
 * Removes files that no scanner has, and that were neither read nor written for an hour: replaced files, and incomplete ones.
 */
export const removeOldFiles: Statement = {
  name: 'azimuth-remove-old-files',
  text: `DELETE FROM azimuth.files f WHERE f.touched_at < clock_timestamp() - interval '1 hour'
    AND NOT EXISTS (SELECT FROM azimuth.documents d WHERE d.file = f.file)`,
};

/**
 * Stores the pieces of a new file, each in a statement of its own. The old file stays until a document names the new one.
 * @throws NotTheOwner, DatabaseUnavailable, and the errors of `pieces`. Then nothing of the new file stays
 */
export async function sendPieces(
  { database, owner, patience }: Sending,
  { serial, epoch, name }: Target,
  pieces: AsyncIterable<Uint8Array>,
): Promise<Sent> {
  const [opened] = await database.query<{ file: string }>(openFile, [owner, serial, epoch, name], {
    repeatFor: patience,
  });
  if (opened === undefined) throw new NotTheOwner([serial], name);
  const { file } = opened;
  let sent = 0;
  try {
    for await (const bytes of inRows(pieces)) {
      const [row] = await database.query(addPiece, [file, sent, bytes], { repeatFor: patience });
      if (row === undefined) throw new Error(`${name} came too slowly: its first pieces were removed`);
      sent++;
    }
    return { file, pieces: sent };
  } catch (error) {
    // If the database does not respond, the pieces are removed later.
    await database.query(dropFile, [file]).catch(() => undefined);
    throw error;
  }
}

/**
 * Returns the pieces of a file. Each is read when it is needed. A file that is replaced in between can be read for another
 * hour.
 * @throws DatabaseUnavailable; Error if it was removed in between. It never returns a file that is too short
 */
export async function* filePieces(
  database: Database,
  file: string,
  pieces: number,
  patience: number,
): AsyncGenerator<Uint8Array> {
  for (let piece = 0; piece < pieces; piece++) {
    const [row] = await database.query<{ bytes: Buffer }>(readPiece, [file, piece], { repeatFor: patience });
    if (row === undefined)
      throw new Error('the file was replaced, and its pieces are gone: read it once more');
    yield row.bytes;
  }
}

/** Splits bytes into pieces of the size of a row. The last one is shorter. */
async function* inRows(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + pieceBytes - length);
      waiting.push(part);
      length += part.length;
      at += part.length;
      if (length < pieceBytes) continue;
      yield Buffer.concat(waiting);
      waiting = [];
      length = 0;
    }
  }
  if (length > 0) yield Buffer.concat(waiting);
}
