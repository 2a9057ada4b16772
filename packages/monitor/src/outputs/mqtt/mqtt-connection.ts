import { atMost } from '@azimuth/async';
import { connect, type IClientPublishOptions, type IPublishPacket, type MqttClient } from 'mqtt';

/** Address of a broker, and a login. */
export interface BrokerOptions {
  /** `mqtt://HOST:1883` or `mqtts://HOST:8883`; these ports are the default ones. */
  readonly url: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** Authorities for TLS, in PEM; those of Node if undefined. */
  readonly ca?: string | undefined;
  readonly clientId: string;
  /** Last will: the broker publishes it, retained, if the monitor is gone without a word. */
  readonly will: { readonly topic: string; readonly payload: string };
}

/** Maximum bytes of a packet that the broker may send. */
const mostBytes = 64 * 1024;

/** Seconds between signs of life: after one and a half of them, the broker publishes the will. */
const keepAlive = 30;

/** Ms within which the broker must accept the connection. */
const connectTimeout = 15_000;

/** Ms for the end of a connection. */
const longestGoodbye = 1000;

/** A connection to a broker by MQTT 5. If it is lost, another one is opened: the library does not come back by itself. */
export class MqttConnection {
  readonly #client: MqttClient;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  #isOpen = true;

  private constructor(client: MqttClient, closed: Promise<void>) {
    this.#client = client;
    this.closed = closed.then(() => {
      this.#isOpen = false;
      client.end(true);
    });
  }

  /**
   * Opens a connection without a session: a command that was published while the monitor was away is not carried out later.
   * @throws if the broker is not there, or refuses
   */
  static async open(options: BrokerOptions, signal: AbortSignal): Promise<MqttConnection> {
    const { url, user, password, ca, clientId, will } = options;
    const client = connect(url, {
      ...{ protocolVersion: 5, clientId, clean: true, reconnectPeriod: 0, connectTimeout, ca },
      ...{ keepalive: keepAlive, username: user, password },
      properties: { sessionExpiryInterval: 0, maximumPacketSize: mostBytes, receiveMaximum: 16 },
      will: { ...will, payload: Buffer.from(will.payload), qos: 1, retain: true },
    });
    let failure: Error | undefined;
    client.on('error', (error) => {
      failure ??= error;
    });
    limitPackets(client);
    const opened = new Promise<void>((resolve) => client.once('connect', () => resolve()));
    const closed = endOf(client);
    const refused = closed.then(() => {
      throw failure ?? new Error('the broker has closed the connection');
    });
    const destroy = () => client.end(true);
    signal.addEventListener('abort', destroy, { once: true });
    try {
      await Promise.race([opened, refused]);
      return new MqttConnection(client, closed);
    } catch (error) {
      destroy();
      throw error;
    } finally {
      signal.removeEventListener('abort', destroy);
    }
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves when the broker has the message (QoS 1). @throws if the connection is lost before that */
  async publish(
    topic: string,
    payload: string,
    options: Omit<IClientPublishOptions, 'qos'> = {},
  ): Promise<void> {
    const lost = this.closed.then(() => {
      throw new Error('the connection to the broker was lost');
    });
    await Promise.race([this.#client.publishAsync(topic, payload, { ...options, qos: 1 }), lost]);
  }

  /** Calls back for each message on topics of this pattern. */
  async subscribe(pattern: string, onMessage: (packet: IPublishPacket) => void): Promise<void> {
    this.#client.on('message', (_topic, _payload, packet) => onMessage(packet));
    // Retained messages come with their flag, and none of those from before.
    await this.#client.subscribeAsync(pattern, { qos: 1, rap: true, rh: 2 });
  }

  /** Says goodbye to the broker, which publishes no will then. A broker that does not accept it is left. */
  async end(): Promise<void> {
    if (this.#isOpen) await atMost(longestGoodbye, this.#client.endAsync());
    this.destroy();
  }

  /** Ends it at once. */
  destroy(): void {
    this.#client.end(true);
  }
}

/** Resolves when a connection has ended. After an error, the library may leave it open. */
function endOf(client: MqttClient): Promise<void> {
  return new Promise((resolve) => {
    client.once('close', resolve);
    client.once('end', resolve);
    client.once('error', () => resolve());
  });
}

/** Ends the connection if a packet is too large: the library would store up to 256 MB of it. */
function limitPackets(client: MqttClient): void {
  let bytes = 0;
  client.on('packetreceive', () => {
    bytes = 0;
  });
  client.stream.on('data', (piece: Buffer) => {
    bytes += piece.length;
    // A piece may have the end of one packet and the beginning of the next one.
    if (bytes > 3 * mostBytes)
      client.emit('error', new Error(`the broker sends a packet of more than ${mostBytes} bytes`));
  });
}
