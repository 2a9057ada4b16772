import { startBareGet, startScanner, variablePath } from '../compared-servers.js';
import { get } from '../loads.js';
import type { Bench, Measurement } from '../measurement.js';
import type { Server } from '../processes/server.js';
import { compareThroughput, ratiosOf, type Subject, targetsOf } from '../throughput.js';

const wanted = 0.9;

/** A read, compared with node:http that sends the same bytes as a constant. */
export async function measureGet(bench: Bench): Promise<Measurement> {
  const scanner = await startScanner(bench, 'get');
  const body = await scanner.get(variablePath);
  const floor = await startBareGet(bench, body);
  const subject = (server: Server): Subject => ({
    server,
    load: (connections, seconds) =>
      get(bench, server, { paths: [variablePath], body }, { connections, seconds }),
  });
  const found = await compareThroughput(bench, [subject(scanner), subject(floor)], [1, 16, 64]);
  await Promise.all([scanner.end(), floor.end()]);
  return {
    name: 'get',
    title: `GET ${variablePath}, ${body.length} bytes`,
    rows: found.rows,
    ratios: ratiosOf(found.comparisons),
    targets: targetsOf(found.comparisons, wanted),
    notes: found.notes,
  };
}
