import {
  device,
  enumeration,
  integer,
  type JsonSchema,
  jsonSchema,
  string,
  type ValueType,
} from '@azimuth/model';

/** The `/openapi.json` of a scanner with names of its own, written by hand. It has few names of the interface. */
export function ownDescription(): string {
  const level = enumeration({ LOW: 0, HIGH: 1 }, 0);
  const paths = {
    ...variable('LocationName', device.members.LocationName.type, {
      text: 'Name of the place.',
      group: 'Device',
      write: 'AuthorizedClient',
    }),
    ...variable('LaserHours', integer('uint32'), { text: 'Hours that the laser was on.', unit: 'h' }),
    ...variable('GateName', string({ maxLength: 16 }), {
      text: 'Name of the gate.',
      write: 'AuthorizedClient',
    }),
    ...variable('LaserPower', level, { text: 'Power of the laser.', write: 'Maintenance' }),
    ...variable('LaserState', level, { text: 'State of the laser.', isEvent: true }),
    ...variable('PerformanceProfileNumber', enumeration({ FAST: 42 }, 42), {
      text: 'Number of the profile.',
      write: 'AuthorizedClient',
    }),
    ...method('ReadPulses', {
      'x-user-level': 'open',
      summary: 'Counts the pulses of the laser.',
      responses: response({ data: struct({ Pulses: jsonSchema(integer('uint32').shape, 0) }) }),
    }),
    ...method('CalibrateLaser', {
      'x-user-level': 'Service',
      'x-loses': 'the old calibration',
      'x-done': { Result: 0 },
      summary: 'Calibrates the laser.',
      requestBody: json(struct({ data: struct({ Depth: jsonSchema(integer('uint8').shape, 3) }) })),
      responses: response({ data: struct({ Result: jsonSchema(level.shape, 0) }) }),
    }),
  };
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'Gate scanner', version: '5.0.1' }, paths });
}

interface Facts {
  readonly text: string;
  readonly group?: string;
  readonly write?: string;
  readonly unit?: string;
  readonly isEvent?: boolean;
}

function variable(name: string, { shape, initial }: ValueType<unknown>, facts: Facts) {
  const { text, group = 'Laser', write, unit, isEvent } = facts;
  const data = struct({ [name]: { ...jsonSchema(shape, initial), 'x-unit': unit } });
  const get = {
    summary: text,
    tags: [group],
    responses: response({ data }),
    'x-event': isEvent,
    'x-stored': write === undefined ? undefined : true,
  };
  const post = write === undefined ? undefined : { summary: text, tags: [group], 'x-user-level': write };
  return { [`/api/${name}`]: { get, post } };
}

function method(name: string, post: object) {
  return { [`/api/${name}`]: { post: { tags: ['Laser'], ...post } } };
}

function response(members: Readonly<Record<string, JsonSchema>>) {
  return { 200: json(struct({ header: { type: 'object' }, ...members })) };
}

function json(schema: JsonSchema) {
  return { content: { 'application/json': { schema } } };
}

function struct(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties) };
}
