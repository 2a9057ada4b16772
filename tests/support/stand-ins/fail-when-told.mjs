// Loaded into the process of a scanner. It causes errors where none of our code can catch them, to show that the scanner
// goes on. FAIL_AT_START causes one before the scanner serves, FAIL_IN_ARCHIVE one in the library that makes archives.
import { EventEmitter } from 'node:events';
import zlib from 'node:zlib';

const fail = (what) => {
  throw new Error(`out of order: ${what}`);
};

process.on('SIGUSR2', () => {
  setTimeout(() => fail('a timer'));
  setImmediate(() => new EventEmitter().emit('error', new Error('out of order: an emitter')));
  process.nextTick(() => fail('a tick'));
  queueMicrotask(() => fail('a microtask'));
  Promise.reject(new Error('out of order: a promise'));
});

if (process.env.FAIL_AT_START !== undefined) setTimeout(() => fail('the start'), 1);

if (process.env.FAIL_IN_ARCHIVE !== undefined)
  zlib.deflateRaw = () => setImmediate(() => fail('the library'));
