import { capitalised } from '../parts/texts.js';

/** Words that keep their spelling: abbreviations and names of products. */
const fixed = new Map(
  'IP DHCP PTP NTP UDP TCP PNP NPN LED IMU RSSI ROS IO ID DDS MSGPACK LMDscandata XOR AND OR HTTP HTTPS'
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
);
fixed.set('ros2', 'ROS 2');
// Misspelt in the specification.
fixed.set('immedate', 'immediate');

/** Prefix that shows the type of a member, in front of its name: `usiResponseTime`. */
const typeLetters = /^(?:b|e|ui|usi|udi|ul|si|di|l|f|a|i)(?=[A-Z])/;

/** The name of a member as a person says it: `usiResponseTime` is `Response time`. A single letter stays as it is. */
export function spokenName(name: string): string {
  return name.length === 1 ? name : sentence(wordsInName(name.replace(typeLetters, '')));
}

/** A place within a value as a person says it: `[1].InputSettings.Debounce` is `2 Input settings Debounce`. */
export function spokenPlace(at: string): string {
  return at
    .split(/[.[\]]+/)
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : spokenName(part)))
    .join(' ');
}

/**
 * The names of an enumeration as a person says them. Words that all of them begin with are left out: `TX_IP_STATIC` beside
 * `TX_IP_DHCP` is `Static`.
 * @returns the words for each number
 */
export function spokenValues(values: Readonly<Record<string, number>>): ReadonlyMap<number, string> {
  const names = Object.entries(values).map(([name, value]) => ({ value, parts: name.split('_') }));
  const [first] = names;
  if (first === undefined) return new Map();
  // The last word of a name is never left out.
  const most = Math.min(...names.map(({ parts }) => parts.length)) - 1;
  let shared = 0;
  while (shared < most && names.every(({ parts }) => parts[shared] === first.parts[shared])) shared++;
  const left = names.length === 1 ? 0 : shared;
  return new Map(
    names.map(({ value, parts }) => [
      value,
      sentence(parts.slice(left).flatMap((part) => wordsInName(part))),
    ]),
  );
}

/** `IPAddress` has the words `IP` and `Address`. */
function wordsInName(name: string): readonly string[] {
  if (fixed.has(name.toLowerCase())) return [name];
  return name.match(/[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+/g) ?? [name];
}

function sentence(words: readonly string[]): string {
  const spelled = words.map((word) => fixed.get(word.toLowerCase()) ?? word.toLowerCase()).join(' ');
  return capitalised(spelled);
}
