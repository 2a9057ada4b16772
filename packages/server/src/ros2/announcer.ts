import type { Clock } from '@azimuth/device';
import {
  builtinEndpoint,
  bytesOfGuid,
  encodeKey,
  encodeParticipantData,
  entityId,
  type GuidPrefix,
  type Locator,
  MessageWriter,
  parameterId,
} from '@azimuth/telegrams/rtps';
import { announcementInterval, firstAnnouncements, ownLease } from './limits.js';

/** The scanner is in the ROS 2 context without a name. */
const userData = 'enclave=/;';

interface Options {
  readonly prefix: GuidPrefix;
  readonly domain: number;
  readonly locators: readonly Locator[];
  readonly clock: Clock;
  /** Sends an announcement to all participants. */
  readonly announce: (message: Uint8Array) => void;
}

/** Announces a participant at intervals (SPDP, DDSI-RTPS §8.5.3), and at last that it is gone. */
export class Announcer {
  readonly #payload: Uint8Array;
  readonly #message: Uint8Array;
  readonly #options: Options;
  #sent = 0;
  #cancel: (() => void) | undefined;

  constructor(options: Options) {
    this.#options = options;
    const { prefix, domain, locators } = options;
    this.#payload = encodeParticipantData({
      prefix,
      domain,
      domainTag: '',
      discovery: locators,
      user: locators,
      builtinEndpoints:
        builtinEndpoint.participantWriter |
        builtinEndpoint.participantReader |
        builtinEndpoint.publicationsWriter |
        builtinEndpoint.subscriptionsReader |
        builtinEndpoint.livelinessWriter,
      lease: ownLease,
      userData,
    });
    const message = new MessageWriter(prefix).begin();
    this.write(message);
    this.#message = message.copy();
  }

  /** Adds the announcement to a message. */
  write(message: MessageWriter): void {
    message.data(this.#sample(1), this.#payload);
  }

  begin(): void {
    this.#next();
  }

  /** Announces that the participant is gone. */
  end(): void {
    this.#cancel?.();
    const { prefix, announce } = this.#options;
    const guid = { prefix, entity: entityId.participant };
    const key = encodeKey(parameterId.participantGuid, guid);
    announce(new MessageWriter(prefix).begin().dispose(this.#sample(2), bytesOfGuid(guid), key).copy());
  }

  #sample(sequence: number) {
    return { reader: entityId.participantReader, writer: entityId.participantWriter, sequence };
  }

  #next(): void {
    const { clock, announce } = this.#options;
    announce(this.#message);
    this.#sent += 1;
    const before = firstAnnouncements[this.#sent - 1];
    const next = firstAnnouncements[this.#sent];
    const wait = before === undefined || next === undefined ? announcementInterval : next - before;
    this.#cancel = clock.after(wait, () => this.#next());
  }
}
