import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

const open = promisify<Buffer, { lazyEntries: boolean; validateEntrySize: boolean }, ZipFile>(fromBuffer);

/** The files of a zip archive by their names, each checked against its size and CRC. */
export async function unzip(archive: Uint8Array): Promise<ReadonlyMap<string, string>> {
  const zip = await open(Buffer.from(archive), { lazyEntries: true, validateEntrySize: true });
  const files = new Map<string, string>();
  return new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', () => resolve(files));
    zip.on('entry', (entry: Entry) => {
      zip.openReadStream(entry, (error, stream) => {
        if (error !== null) return reject(error);
        buffer(stream).then((content) => {
          files.set(entry.fileName, content.toString('utf8'));
          zip.readEntry();
        }, reject);
      });
    });
    zip.readEntry();
  });
}
