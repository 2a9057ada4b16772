import { Scanner } from '@azimuth/client';
import { ours, startScanner } from '../compared-servers.js';
import { login } from '../load/rest-messages.js';
import type { Bench } from '../measurement.js';
import { Collected, type Measurement } from '../measurement.js';
import { inRounds, median } from '../statistics.js';

const callsPerRound = 5;

interface Subject {
  readonly collected: Collected;
  readonly options: { readonly passphrase?: string };
}

/** Backup and restore by the client: token, method and transfer, with a passphrase and without. */
export async function measureBackup(bench: Bench): Promise<Measurement> {
  const server = await startScanner(bench, 'backup');
  const scanner = new Scanner({ url: `http://127.0.0.1:${server.port}`, ...login });
  const subjects: readonly Subject[] = [
    { collected: new Collected(ours, 'plain'), options: {} },
    { collected: new Collected(ours, 'encrypted'), options: { passphrase: 'a passphrase' } },
  ];
  let bytes = 0;
  await inRounds(subjects, bench.rounds, async ({ collected, options }, round) => {
    bench.progress(`round ${round + 1} of ${bench.rounds}: ${collected.condition}`);
    const [backups, restores]: [number[], number[]] = [[], []];
    for (let call = 0; call < callsPerRound; call++) {
      const begun = performance.now();
      const file = await scanner.backup(options);
      const taken = performance.now();
      await scanner.restore(file, options);
      restores.push(performance.now() - taken);
      backups.push(taken - begun);
      bytes = file.length;
    }
    collected.add({ 'backup ms': median(backups), 'restore ms': median(restores) });
  });
  await server.end();
  return {
    name: 'backup',
    title: `Backup and restore by the client, about ${bytes} bytes`,
    rows: subjects.map(({ collected }) => collected.row),
    ratios: [],
    targets: [],
    notes: ['a passphrase costs a key derived by scrypt, each way'],
  };
}
