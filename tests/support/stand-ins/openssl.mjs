// As much of openssl as the README uses, for machines without it: dgst -sha256 -r.
import { createHash } from 'node:crypto';

const sum = createHash('sha256');
for await (const chunk of process.stdin) sum.update(chunk);
process.stdout.write(`${sum.digest('hex')} *stdin\n`);
