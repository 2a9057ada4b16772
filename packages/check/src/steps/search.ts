import { type Json, type Matcher, mismatch, shown } from '../match/matcher.js';
import { type SearchRequest, SearchSocket } from '../wire/device-search.js';
import { presentValue } from './present-value.js';
import { NotTestable, type StepContext, Unmet } from './step-context.js';

/** A request of the device search, and the answers. */
export interface SearchStep {
  readonly kind: 'search';
  /** What differs from a search for all scanners. `own` and `other` stand for MAC addresses. */
  readonly request?: Partial<Omit<SearchRequest, 'mac' | 'body'>> & {
    readonly mac?: 'all' | 'own' | 'other';
    /** `present` stands for the address, mask, gateway and DHCP that the scanner has. */
    readonly body?: readonly number[] | 'present';
  };
  /** The answers as JSON, by the byte that they begin with: `{ '95': …, '90': …, '91': … }`. */
  readonly expect: Matcher;
  /** Undefined if another search is answered at the same time; else the seconds that nothing at all comes. */
  readonly silentFor?: number;
}

/** Longest time of an answer in ms of this computer. */
const usualTimeout = 5000;

const everyone = [255, 255, 255, 255, 255, 255];
const plain: SearchRequest = {
  kind: 0x10,
  mac: everyone,
  mark: 1,
  form: 0,
  body: [0, 0, 0, 0, 0, 0, 0, 0],
  stated: 8,
};

/** @throws Unmet, NotTestable, NoAnswer */
export async function performSearch(step: SearchStep, context: StepContext): Promise<void> {
  const { search, clock, timeoutMs = usualTimeout } = context.target;
  if (search === undefined) throw new NotTestable('needs the address of the device search');
  const request = await requestOf(step.request ?? {}, context);
  await clock.wait(betweenSearches, context.signal);
  const socket = await SearchSocket.open(search.host, search.port);
  context.closeAtEnd(() => socket.close());
  const id = socket.send(request);
  if (step.silentFor === undefined) {
    // Answers come in the order of the requests: what has not come with those to a further search will not come.
    const last = socket.send(plain);
    if (!(await socket.answered(last, timeoutMs)))
      throw new Unmet({ at: 'device search', expected: 'an answer to a search', came: 'nothing' });
    if (request.kind !== plain.kind) await socket.answered(id, lateAnswer);
  } else await socket.answered(id, step.silentFor * 1000);
  const answers = Object.fromEntries(
    socket.answersTo(id).map((answer) => [(answer[0] ?? 0).toString(16).padStart(2, '0'), answerOf(answer)]),
  );
  const wrong = mismatch(step.expect, answers, 'answers', context);
  if (wrong !== undefined) throw new Unmet(wrong);
}

/** Time in ms in front of each request: scanners limit how many they answer in a second. */
const betweenSearches = 300;

/** Time in ms after which a change is answered at the latest: it is stored first. */
const lateAnswer = 300;

async function requestOf(
  { mac = 'all', body = plain.body, ...rest }: NonNullable<SearchStep['request']>,
  context: StepContext,
): Promise<SearchRequest> {
  const own = mac === 'all' ? everyone : await bytesOf('EtherMACAddress', context);
  const addressed = mac === 'other' ? own.map((byte, at) => (at === 5 ? byte ^ 1 : byte)) : own;
  const bytes = body === 'present' ? await presentConfiguration(context) : body;
  return { ...plain, stated: bytes.length, ...rest, mac: addressed, body: bytes };
}

async function presentConfiguration(context: StepContext): Promise<readonly number[]> {
  const names = ['EtherIPAddress', 'EtherIPMask', 'EtherIPGateAddress', 'EtherAddressingMode'];
  const parts = [];
  for (const name of names) parts.push(await bytesOf(name, context));
  return parts.flat();
}

async function bytesOf(name: string, context: StepContext): Promise<readonly number[]> {
  const { value, came } = await presentValue(name, context);
  const bytes: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (bytes.every((byte) => typeof byte === 'number')) return bytes;
  throw new Unmet({ at: name, expected: 'bytes', came: shown(came) });
}

/** Tags with the number of their bytes. */
const tags = { EIPa: 4, ENMa: 4, EDGa: 4, EDhc: 1, EMAC: 6 } as const;

/** Returns an answer as JSON: its head, and the tags or the XML items of its body. */
function answerOf(answer: Buffer): Json {
  const body = answer.subarray(16);
  return {
    second: answer[1] ?? 0,
    stated: answer.length < 4 ? 0 : answer.readUInt16BE(2),
    length: body.length,
    mac: [...answer.subarray(4, 10)],
    mark: answer[14] ?? 0,
    tags: tagsIn(body),
    items: itemsIn(body.toString('utf8')),
    root: /<(\w+)[ >]/.exec(body.toString('latin1'))?.[1] ?? '',
    body: [...body.subarray(0, 4)],
  };
}

/** A tag stands two bytes in front of its value. */
function tagsIn(body: Buffer): Json {
  return Object.fromEntries(
    Object.entries(tags).flatMap(([name, length]) => {
      const at = body.indexOf(name, 0, 'latin1');
      return at === -1 ? [] : [[name, [...body.subarray(at + 6, at + 6 + length)]]];
    }),
  );
}

function itemsIn(text: string): Json {
  const items = [...text.matchAll(/<Item key="(\w{1,64})" value="([^"]{0,300})"(?: readonly="(\w+)")?/g)];
  return Object.fromEntries(items.map(([, key = '', value = '', fixed = '']) => [key, { value, fixed }]));
}
