// Makes a scanner write its documents in place, and not all at once, in the way of programs that know no power cuts:
// loaded into it in order to see that such a one is found out. It stands in for the calls that the storage makes; where
// the storage comes to make others, the test that uses this fails.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const unfinished = '.azimuth-unfinished';
const isUnfinished = (path) => String(path).endsWith(unfinished);
const { openSync, writeFileSync, writeSync, fsync, closeSync, rename } = fs;
/** What is still to be written of each file. */
const inPlace = new Map();

fs.openSync = (path, flags, mode) => {
  if (!isUnfinished(path)) return openSync(path, flags, mode);
  const file = openSync(path.slice(0, -unfinished.length), 'w', mode);
  inPlace.set(file, Buffer.alloc(0));
  return file;
};

fs.writeFileSync = (file, content, ...rest) => {
  if (!inPlace.has(file)) return writeFileSync(file, content, ...rest);
  const half = content.length >> 1;
  writeSync(file, content, 0, half);
  inPlace.set(file, content.subarray(half));
};

fs.fsync = (file, done) => {
  if (!inPlace.has(file)) return fsync(file, done);
  return setTimeout(() => {
    writeSync(file, inPlace.get(file));
    fsync(file, done);
  }, 2);
};

fs.closeSync = (file) => {
  inPlace.delete(file);
  closeSync(file);
};

fs.rename = (from, to, done) => (isUnfinished(from) ? process.nextTick(done, null) : rename(from, to, done));

syncBuiltinESMExports();
