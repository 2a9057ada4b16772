import { startBarePost, startScanner, variablePath } from '../compared-servers.js';
import { post, writing } from '../loads.js';
import { atMost, type Bench, Collected, type Measurement } from '../measurement.js';
import type { Server } from '../processes/server.js';
import { compareThroughput, ratiosOf, type Subject, targetsOf } from '../throughput.js';

const wanted = 0.85;

/** MB (10⁶ bytes). */
const wantedMemory = 120;
const resident = 'resident MB';

/** A challenge and the authenticated write, compared with node:http with the same two POSTs and hashes. */
export async function measureWrite(bench: Bench): Promise<Measurement> {
  const scanner = await startScanner(bench, 'write');
  const floor = await startBarePost(bench);
  const subject = (server: Server): Subject => ({
    server,
    load: (connections, seconds) => post(bench, server, writing, { connections, seconds }),
  });
  const found = await compareThroughput(bench, [subject(scanner), subject(floor)], [1, 16]);
  const memories = [scanner, floor].map(({ name, memory }) => {
    const collected = new Collected(name, 'after all writes');
    collected.add({ [resident]: memory.resident });
    return collected;
  });
  await Promise.all([scanner.end(), floor.end()]);
  return {
    name: 'write',
    title: `getChallenge and POST ${variablePath}, authenticated: two requests an operation`,
    rows: [...found.rows, ...memories.map(({ row }) => row)],
    ratios: ratiosOf(found.comparisons),
    targets: [
      ...targetsOf(found.comparisons, wanted),
      ...memories
        .slice(0, 1)
        .map((memory) =>
          atMost(`${scanner.name}: resident after all writes`, 'MB', wantedMemory, memory.median(resident)),
        ),
    ],
    notes: found.notes,
  };
}
