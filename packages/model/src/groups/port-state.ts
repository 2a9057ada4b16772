import { array } from '../types/array.js';
import { dateTime } from '../types/date-time.js';
import { enumeration } from '../types/enumeration.js';
import { integer } from '../types/integer.js';
import { struct } from '../types/struct.js';
import { portCount } from './port-configuration.js';

export const IOState = { IOS_LOW: 0, IOS_HIGH: 1, IOS_TRISTATE: 2 } as const;

export const PortState = {
  OUTPUT_NOT_ACTIVE: 0,
  OUTPUT_ACTIVE: 1,
  TRISTATE: 2,
  INPUT_ACTIVE: 3,
  INPUT_NOT_ACTIVE: 4,
} as const;

const ports = { minItems: portCount, maxItems: portCount };
const ioState = struct({ eIOState: enumeration(IOState, IOState.IOS_TRISTATE) });
const version = () => integer('uint16', { initial: 1 });
/** The time of the state, where the device has one. */
const timeBlock = () => array(dateTime(), { maxItems: 1 });

const countedPorts = () =>
  array(struct({ ePortState: enumeration(PortState, PortState.TRISTATE), PortCounter: integer('uint32') }), {
    maxItems: portCount,
  });

/** The levels at the inputs. */
export function inputState() {
  return struct({
    uiVersionNumber: version(),
    udiSystCount: integer('uint32'),
    aDigitalIn: array(struct({ IOState: ioState }), ports),
    aTimeBlock: timeBlock(),
  });
}

/** The levels at the outputs, and how often each was switched. */
export function outputState() {
  return struct({
    uiVersionNumber: version(),
    udiSystCount: integer('uint32'),
    aDigitalOut: array(struct({ IOState: ioState, udiCounter: integer('uint32') }), ports),
    aTimeBlock: timeBlock(),
  });
}

/** What each port does, internal and external ones apart, and how often it changed. */
export function portState() {
  return struct({
    uiVersionNumber: version(),
    udiSystCount: integer('uint32'),
    aInternalPorts: countedPorts(),
    aExternalPorts: countedPorts(),
    aTimeBlock: timeBlock(),
  });
}
