/** Characters of a level as they are. `+`, `#` and `/` have a meaning in topics. */
const plain = /[A-Za-z0-9._-]/;

/**
 * Returns a name as one level of a topic: all bytes but letters, digits, `.`, `_` and `-` are escaped as in a URL. So no
 * name reaches another topic, or becomes a pattern.
 */
export function topicLevel(name: string): string {
  const bytes = [...Buffer.from(name)];
  return bytes.map((byte) => escapedByte(String.fromCharCode(byte), byte)).join('');
}

function escapedByte(character: string, byte: number): string {
  return plain.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** The topics of a monitor, by their prefix. */
export class Topics {
  /** `online` or `offline`: whether the monitor runs. */
  readonly status: string;
  /** Entries about the monitor itself. */
  readonly event: string;
  /** Pattern of the topics of commands. */
  readonly commands: string;

  constructor(readonly prefix: string) {
    this.status = `${prefix}/status`;
    this.event = `${prefix}/event`;
    this.commands = `${prefix}/+/command`;
  }

  /** `online` or `offline`: whether the scanner answers. */
  availability(scanner: string): string {
    return this.#of(scanner, 'availability');
  }

  state(scanner: string): string {
    return this.#of(scanner, 'state');
  }

  condition(scanner: string, id: string): string {
    return this.#of(scanner, `condition/${topicLevel(id)}`);
  }

  /** Entries about a scanner; those about the monitor if the name is empty. */
  eventOf(scanner: string): string {
    return scanner === '' ? this.event : this.#of(scanner, 'event');
  }

  command(scanner: string): string {
    return this.#of(scanner, 'command');
  }

  /** True for a topic to which a response may go: not a pattern, and none of the monitor's own or of the broker. */
  isForResponses(topic: string): boolean {
    return (
      topic !== '' && !/[+#\0]/.test(topic) && !topic.startsWith('$') && !topic.startsWith(`${this.prefix}/`)
    );
  }

  #of(scanner: string, rest: string): string {
    return `${this.prefix}/${topicLevel(scanner)}/${rest}`;
  }
}
