import { until } from '@azimuth/test-support/waiting';
import type { Answer } from 'dns-packet';
import multicastDns, { type MulticastDNS, type ResponsePacket } from 'multicast-dns';
import { onTestFinished } from 'vitest';

/** Browser on loopback, made with the package alone: it receives every response by multicast. */
export class Browser {
  readonly heard: Answer[] = [];
  readonly #dns: MulticastDNS;

  private constructor(dns: MulticastDNS) {
    this.#dns = dns;
    dns.on('response', ({ answers = [], additionals = [] }: ResponsePacket) => {
      this.heard.push(...answers, ...additionals);
    });
  }

  static async open(): Promise<Browser> {
    const dns = multicastDns({ interface: '127.0.0.1', bind: '0.0.0.0' });
    const browser = new Browser(dns);
    onTestFinished(
      () =>
        new Promise<void>((resolve) => {
          dns.destroy(resolve);
        }),
    );
    let ready = false;
    dns.on('ready', () => {
      ready = true;
    });
    await until(() => ready);
    return browser;
  }

  ask(name: string, type: 'PTR' | 'SRV' | 'TXT' | 'A'): void {
    this.#dns.query(name, type);
  }

  /** Waits for a record. */
  async hears(which: (answer: Answer) => boolean): Promise<Answer> {
    await until(() => this.heard.some(which));
    const [answer] = this.heard.filter(which);
    if (answer === undefined) throw new TypeError('nothing was heard');
    return answer;
  }
}

/** A record of this type and name; with a life of 0 for a goodbye. */
export const record = (type: Answer['type'], name: string) => (answer: Answer) =>
  answer.type === type && answer.name === name;

export const goodbye = (type: Answer['type'], name: string) => (answer: Answer) =>
  record(type, name)(answer) && 'ttl' in answer && answer.ttl === 0;
