import { scrypt } from 'node:crypto';

/** scrypt's cost N, block size r and parallelization p: some 90 ms and 32 MiB on a usual machine. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
/** In bytes. */
const keyLength = 32;

/** Keys are made one after the other: each takes memory and a thread while it is made. */
let turn: Promise<unknown> = Promise.resolve();

/** The key that a passphrase (in UTF-8) gives with a salt of 16 bytes. Made in another thread. */
export function keyOf(passphrase: string, salt: Uint8Array): Promise<Buffer> {
  const made = turn.then(() => make(passphrase, salt));
  turn = made.catch(() => undefined);
  return made;
}

function make(passphrase: string, salt: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, keyLength, cost, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
