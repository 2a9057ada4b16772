import { inFile, type Mutant } from './mutant.js';

const server = 'packages/server/src/events/event-server.ts';
const subscriber = 'packages/server/src/events/subscriber.ts';
const registrations = 'packages/server/src/events/registrations.ts';
const messages = 'packages/server/src/events/client-messages.ts';
const limits = 'packages/server/src/events/limits.ts';
const response = "this.#sendQueue.respond(headOf({ type: 'register', event, clientId }) + current);";

const handshakeMutants: readonly Mutant[] = [
  ...inFile(
    server,
    ['event.opens', '(path === eventsPath || path === eventsPathUnderApi)', '(path === eventsPathUnderApi)'],
    ['event.under-api', '(path === eventsPath || path === eventsPathUnderApi)', '(path === eventsPath)'],
    [
      'event.other-path',
      '(path === eventsPath || path === eventsPathUnderApi)',
      "(path.startsWith('/apievent') || path === eventsPathUnderApi)",
    ],
    ['event.before-2-3-1', 'return isFrom(served.edition.release, eventsSince);', 'return true;'],
    ['event.ping', 'noServer: true,', 'noServer: true,\n        autoPong: false,'],
  ),
  ...inFile(limits, [
    'event.two-connections',
    'mostRegistrationsTogether = 16_384',
    'mostRegistrationsTogether = 1',
  ]),
  ...inFile(subscriber, [
    'event.idle',
    "    socket.once('close', () => this.#end());",
    "    socket.once('close', () => this.#end());\n    options.device.clock.after(5000, () => socket.close());",
  ]),
];

const names = [
  'DeviceStatus',
  'SCdevicestate',
  'FieldEvaluationResult',
  'perpendicularDistanceResult',
  'InputState',
  'OutputState',
  'PortState',
  'ContaminationData',
  'ContaminationResult',
  'InertialMeasurementUnit',
  'CurrentTempDev',
  'temperatureAlarmStatus',
  'UpdateState',
  'LSPdatetime',
] as const;

/** Variables that are no events any more. */
const nameMutants: readonly Mutant[] = names.flatMap((name) =>
  inFile(registrations, [
    `event.register-${name}`,
    'member instanceof EventVariable',
    `member instanceof EventVariable && member.name !== '${name}'`,
  ]),
);

const registeringMutants: readonly Mutant[] = [
  ...inFile(
    subscriber,
    ['event.response', response, response.replace("type: 'register'", "type: 'registered'")],
    ['event.no-header', response, response.replace('{ type:', '{ header: { status: 0 }, type:')],
    [
      'event.first-value-once',
      response,
      `${response}\n    this.#sendQueue.respond(headOf({ type: 'event', event, clientId }) + current);`,
    ],
    [
      'event.order',
      'feed.add(registration);\n',
      "feed.add(registration);\n    this.#sendQueue.respond(headOf({ type: 'event', event, clientId }) + current);\n",
    ],
    [
      'event.client-ids',
      'function keyOf({ event, clientId }: { readonly event: string; readonly clientId: number }): string {\n',
      'function keyOf({ event, clientId }: { readonly event: string; readonly clientId: number }): string {\n  if (clientId > 0) return event;\n',
    ],
    [
      'event.deregister-others-stay',
      'function keyOf({ event, clientId }: { readonly event: string; readonly clientId: number }): string {\n',
      'function keyOf({ event, clientId }: { readonly event: string; readonly clientId: number }): string {\n  if (clientId > 0) return event;\n',
    ],
    ['event.replaced', '    this.#remove(key);\n    const registration', '    const registration'],
    ['event.deregister', '    registration.feed.delete(registration.registration);\n', ''],
    [
      'event.deregister-no-response',
      'this.#options.registered?.(message, accepted);',
      "if (message.kind === 'deregister') this.#sendQueue.respond(JSON.stringify(message));",
    ],
    [
      'event.deregister-unknown',
      "    if (message.kind === 'wrong') {\n",
      "    if (message.kind === 'deregister' && !this.#registrations.has(keyOf(message)))\n      this.#refuse({ type: 'deregister' }, 'not registered');\n    if (message.kind === 'wrong') {\n",
    ],
    ['event.unknown', '{ ...echo, status: 1, error }', '{ ...echo, status: 0, error }'],
    [
      'event.unknown-others-stay',
      'this.#sendQueue.respond(JSON.stringify({ ...echo, status: 1, error }));',
      'this.#sendQueue.respond(JSON.stringify({ ...echo, status: 1, error }));\n    this.#end();',
    ],
    [
      'event.error-repeats',
      "const echo: Echo = { type: 'register', event, clientId };",
      "const echo: Echo = { type: 'error', event };",
    ],
    [
      'event.method-is-none',
      'if (feed === undefined) return this.#refuse(echo, this.#unknown(event));',
      'if (feed === undefined && !device.served.endpoints.has(event)) return this.#refuse(echo, this.#unknown(event));\n    if (feed === undefined) { this.#sendQueue.respond(JSON.stringify({ ...echo, status: 0 })); return false; }',
    ],
  ),
  ...inFile(limits, ['event.several', 'mostRegistrations = 256', 'mostRegistrations = 3']),
  ...inFile(messages, [
    'event.client-id-number',
    '!Number.isSafeInteger(clientId)',
    '!(clientId > 0 && clientId < 65_536)',
  ]),
  ...inFile(
    registrations,
    [
      'event.response-value',
      'const data = dataOf(name, this.#device.read(this.#variable));',
      'const data = this.#device.read(this.#variable);',
    ],
    [
      'event.response-of-struct',
      'const data = dataOf(name, this.#device.read(this.#variable));',
      'const data = { [name]: this.#device.read(this.#variable) };',
    ],
    ['event.register-again', '    this.#unfollow = undefined;\n', ''],
    [
      'event.case-sensitive',
      'return this.#device.served.endpoints.has(name) ? this.#feeds.get(name) : undefined;',
      'return [...this.#feeds].find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];',
    ],
    ['event.variable-that-is-none', 'member instanceof EventVariable', "member.kind === 'variable'"],
  ),
];

const pushMutants: readonly Mutant[] = [
  ...inFile(
    registrations,
    [
      'event.push',
      'this.#device.follow(this.#variable, () => this.#publish())',
      'this.#device.follow(this.#variable, () => undefined)',
    ],
    ['event.push-back', '    this.#known = value;\n', ''],
    [
      'event.push-once',
      '    this.#options.sendQueue.send(value, this.#queue);\n',
      '    this.#options.sendQueue.send(value, this.#queue);\n    this.#options.sendQueue.send(value, this.#queue);\n',
    ],
    [
      'event.push-to-all',
      'for (const registration of this.#registrations) registration.offer(current);',
      '[...this.#registrations][0]?.offer(current);',
    ],
    ['event.push-to-others', '    if (this.#registrations.size > 0) return;\n', ''],
    [
      'event.push-equals-get',
      'const { current } = this;',
      "const current = this.current.replace(/true|false/, '1');",
    ],
    [
      'event.throttle',
      'requested.minOutputInterval - clock.monotonic()',
      'requested.minOutputInterval / 1000 - clock.monotonic()',
    ],
    [
      'event.throttle-of-one',
      'const remaining = this.#outputAt + requested.minOutputInterval - clock.monotonic();',
      'Registration.longest = Math.max(Registration.longest ?? 0, requested.minOutputInterval);\n    const remaining = this.#outputAt + Registration.longest - clock.monotonic();',
    ],
  ),
  ...inFile(subscriber, [
    'event.push-form',
    "head: headOf({ type: 'event', event, clientId })",
    "head: headOf({ type: 'event', event, clientId, time: 0 })",
  ]),
  ...inFile('packages/device/src/status/status.ts', [
    'event.push-temperature-alarm',
    '    if (this.#raised !== before) this.#options.announcements.changed([temperatureAlarmStatus]);\n',
    '    if (this.#raised && !before) this.#options.announcements.changed([temperatureAlarmStatus]);\n',
  ]),
  ...inFile('packages/device/src/date-and-system-time/synchronisation.ts', [
    'event.push-clock',
    'new SecondTicks(clock, deviceTime, () => announcements.changed([LSPdatetime]))',
    'new SecondTicks(clock, deviceTime, () => undefined)',
  ]),
  ...inFile('packages/device/src/imu-data-output/imu.ts', [
    'event.push-imu',
    'readingsPerSecond = 100',
    'readingsPerSecond = 50',
  ]),
  ...inFile(
    'packages/device/src/inputs-and-outputs/port-states.ts',
    ['event.push-ports', 'changed.push(PortState)', 'changed.push(InputState)'],
    ['event.push-outputs', 'changed.push(OutputState)', 'changed.push(InputState)'],
  ),
  ...inFile('packages/model/src/event-registration.ts', [
    'event.queue-options',
    "priorities = ['HIGH', 'MID', 'LOW']",
    "priorities = ['HIGH', 'MID']",
  ]),
];

const ignored = "{ kind: 'deregister', event: '', clientId: 0 }";

const malformedMutants: readonly Mutant[] = [
  ...inFile(
    messages,
    [
      'event.not-json',
      "{ kind: 'wrong', echo: { type: 'error' }, error: 'The message is not valid JSON.' }",
      ignored,
    ],
    [
      'event.not-an-object',
      "{ kind: 'wrong', echo: { type: 'error' }, error: 'Expected a JSON object.' }",
      ignored,
    ],
    [
      'event.unknown-type',
      "if (type !== 'register' && type !== 'deregister') {",
      `if (type !== 'register' && type !== 'deregister') return ${ignored};\n  if (type === undefined) {`,
    ],
    [
      'event.no-event',
      "  if (typeof event !== 'string')\n",
      "  if (event === undefined) return { kind: 'deregister', event: '', clientId: 0 };\n  if (typeof event !== 'string')\n",
    ],
    [
      'event.no-client-id',
      "if (typeof clientId !== 'number' || !Number.isSafeInteger(clientId)) {",
      'if (clientId !== undefined && !Number.isSafeInteger(clientId)) {',
    ],
    [
      'event.client-id-text',
      "if (typeof clientId !== 'number' || !Number.isSafeInteger(clientId)) {",
      'if (!Number.isSafeInteger(Number(clientId))) {',
    ],
    ['event.client-id-fraction', '!Number.isSafeInteger(clientId)', '!Number.isFinite(clientId)'],
    [
      'event.throttle-negative',
      '      0,\n      longestOutputInterval',
      '      -10,\n      longestOutputInterval',
    ],
    [
      'event.queue-priority',
      'const choice = allowed.find((one) => one === value);',
      "const choice = allowed.find((one) => one === value || one === 'MID');",
    ],
    [
      'event.queue-discard',
      'const choice = allowed.find((one) => one === value);',
      "const choice = allowed.find((one) => one === value || one === 'NEWEST');",
    ],
    ['event.queue-size-zero', 'maxSize, 1, mostInQueue', 'maxSize, 0, mostInQueue'],
  ),
  ...inFile(
    subscriber,
    ['event.binary', 'if (isBinary) socket.close', 'if (isBinary && data.length === 0) socket.close'],
    [
      'event.other-clients',
      "    socket.once('close', () => this.#end());",
      "    socket.once('close', () => {\n      this.#end();\n      counts.registrations += 16_384;\n    });",
    ],
  ),
  ...inFile(
    limits,
    ['event.too-long', 'longestMessageBytes = 64 * 1024', 'longestMessageBytes = 640 * 1024'],
    ['event.long', 'longestMessageBytes = 64 * 1024', 'longestMessageBytes = 6 * 1024'],
  ),
];

/** Mutants of the area `event`. */
export const eventMutants: readonly Mutant[] = [
  ...handshakeMutants,
  ...nameMutants,
  ...registeringMutants,
  ...pushMutants,
  ...malformedMutants,
];
