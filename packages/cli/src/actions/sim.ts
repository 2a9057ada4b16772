import { isObject } from '@azimuth/model';
import { linesOf, type Row } from '../natural-form.js';
import { printable } from '../printable.js';
import { ControlPort } from '../sim/control-port.js';
import type { ControlOptions } from '../sim/options.js';
import { type OrderName, type OrderOptions, orderOf } from '../sim/orders.js';
import { overviewRows } from '../sim/overview.js';

/** Has one thing done. What was typed is understood before the scanner is asked. */
export async function give(name: OrderName, words: readonly string[], options: OrderOptions): Promise<void> {
  const port = controlPortAt(options);
  const [command, given] = await orderOf(name, words, options);
  await port.command(command, given);
  if (options.json === true) print('{"ok":true}');
  if (name === 'contamination' && !isClean(given)) await tellIfUnwatched(port);
}

function isClean(given: object): boolean {
  return 'level' in given && given.level === 0;
}

/** Says that dirt has no consequences where the scanner does not watch its screen: most start so. */
async function tellIfUnwatched(port: ControlPort): Promise<void> {
  const { contaminationStrategy } = await port.look('');
  const reason = unwatched(contaminationStrategy);
  if (reason === undefined) return;
  process.stderr.write(
    `azimuth: ${reason}: the dirt takes light away, but ContaminationData, ContaminationResult, DeviceStatus and outputs do not follow\n`,
  );
}

function unwatched(strategy: unknown): string | undefined {
  if (strategy === null) return 'this variant does not watch its front screen';
  if (strategy !== 'CM_STRATEGY_INACTIVE') return undefined;
  return 'the contamination strategy is inactive (azimuth set ContaminationConfig eStrategy=CM_STRATEGY_SENSITIVE switches it on)';
}

/** Prints how the scanner and its world are. */
export async function showStatus(options: ControlOptions): Promise<void> {
  const told = await controlPortAt(options).look('');
  print(options.json === true ? JSON.stringify(told) : linesOf(overviewRows(told)).join('\n'));
}

/** Prints the scene as a scene file has it. */
export async function showScene(options: ControlOptions): Promise<void> {
  const scene = await controlPortAt(options).look('scene');
  print(options.json === true ? JSON.stringify(scene) : JSON.stringify(scene, null, 2));
}

/** Prints the actors, and where each of them is or goes. */
export async function listActors(options: ControlOptions): Promise<void> {
  const { actors } = await controlPortAt(options).look('scene');
  const known = Array.isArray(actors) ? actors.filter(isObject) : [];
  if (options.json === true) print(JSON.stringify(known.map(({ name, path }) => ({ name, path }))));
  else for (const line of linesOf(known.map(actorRow))) print(line);
}

/** The control port that the options name, else the environment, else that of a scanner on this machine. */
function controlPortAt({ control }: ControlOptions): ControlPort {
  return new ControlPort(control ?? (process.env.AZIMUTH_CONTROL || 'http://127.0.0.1:9000'));
}

function actorRow({ name, path }: Record<string, unknown>): Row {
  const shown = name === '' ? '(no name)' : printable(String(name));
  if (!isObject(path) || !Array.isArray(path.waypoints)) return [shown, ''];
  const [first] = path.waypoints;
  if (path.waypoints.length > 1)
    return [shown, printable(`on a path of ${path.waypoints.length} waypoints, ${path.repeat}`)];
  if (!isObject(first)) return [shown, ''];
  return [shown, printable(`stands at ${first.x}, ${first.y}, heading ${first.heading ?? 0}`)];
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
