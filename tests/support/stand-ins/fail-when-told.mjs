// Has a scanner meet errors in places of its process that nothing of ours stands around: loaded into it in order to see
// that it goes on. With FAIL_AT_START it meets one before it serves, with FAIL_IN_ARCHIVE in the library that makes archives.
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
