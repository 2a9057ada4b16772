import type { SystemPlug } from '../interfaces/hardware/index.js';
import { unusable } from './contained-sensor.js';

/** The same object for the same plug. */
const plugs = new WeakMap<SystemPlug, SystemPlug>();

/**
 * A plug whose name is read once, and whose methods never throw: they only reject.
 * @throws TypeError for anything except a plug and undefined
 */
export function plugIn(plug: SystemPlug | undefined): SystemPlug | undefined {
  if (plug === undefined) return undefined;
  if (typeof plug !== 'object' || plug === null) throw unusable('a system plug or undefined', plug);
  const known = plugs.get(plug) ?? containedPlug(plug);
  plugs.set(plug, known);
  return known;
}

function containedPlug(plug: SystemPlug): SystemPlug {
  const { name, read, write, setAside, release } = plug;
  const isPlug =
    typeof name === 'string' && [read, write, setAside, release].every((act) => typeof act === 'function');
  if (!isPlug) throw unusable('a system plug or undefined', plug);
  return {
    name,
    read: async () => plug.read(),
    write: async (content) => plug.write(content),
    setAside: async () => plug.setAside(),
    release: async () => plug.release(),
  };
}
