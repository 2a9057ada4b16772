// Makes whatever a scanner stores take a while: loaded into it in order to see what happens meanwhile.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const milliseconds = Number(process.env.SLOW_DISK_MS);
const { fsync } = fs;

fs.fsync = (file, done) => setTimeout(() => fsync(file, done), milliseconds);

syncBuiltinESMExports();
