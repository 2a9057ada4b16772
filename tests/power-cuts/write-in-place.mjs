// Makes a scanner write its documents in place, and not all at once, in the way of programs that know no power cuts:
// loaded into it in order to see that such a one is found out. It stands in for the calls that the storage makes; where
// the storage comes to make others, the test that uses this fails.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const unfinished = '.azimuth-unfinished';
const isUnfinished = (path) => String(path).endsWith(unfinished);
const { open, rename, writeFile, write, close } = fs;
const inPlace = new Set();

fs.open = (path, flags, mode, done) => {
  if (!isUnfinished(path)) return open(path, flags, mode, done);
  return open(path.slice(0, -unfinished.length), 'w', mode, (error, file) => {
    if (!error) inPlace.add(file);
    done(error, file);
  });
};

fs.writeFile = (file, content, ...rest) => {
  const done = rest.at(-1);
  if (!inPlace.has(file)) return writeFile(file, content, ...rest);
  const half = content.length >> 1;
  return write(file, content, 0, half, null, (error) => {
    if (error) return done(error);
    return setTimeout(
      () => write(file, content, half, content.length - half, null, (wrong) => done(wrong)),
      2,
    );
  });
};

fs.close = (file, done) => {
  inPlace.delete(file);
  return close(file, done);
};

fs.rename = (from, to, done) => (isUnfinished(from) ? process.nextTick(done, null) : rename(from, to, done));

syncBuiltinESMExports();
