import type { EditionFacts } from '../product.js';
import type { JsonSchema } from '../types/schema.js';

/** AsyncAPI 3 document, as far as a scanner needs it. */
export interface AsyncApiDocument {
  readonly asyncapi: '3.0.0';
  readonly info: Info;
  readonly defaultContentType: 'application/json';
  readonly servers: Readonly<Record<string, Server>>;
  readonly channels: Readonly<Record<string, Channel>>;
  readonly operations: Readonly<Record<string, Operation>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly messages: Readonly<Record<string, Message>>;
    readonly correlationIds: Readonly<Record<string, CorrelationId>>;
  };
}

interface Info {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly license: { readonly name: string };
  readonly 'x-edition': EditionFacts;
}

interface Server {
  readonly host: string;
  readonly pathname: string;
  readonly protocol: 'ws' | 'wss';
  readonly description: string;
  readonly variables: Readonly<Record<string, { readonly default: string; readonly description: string }>>;
}

/** A WebSocket of the scanner. */
export interface Channel {
  readonly address: string;
  readonly title: string;
  readonly description: string;
  readonly messages: Readonly<Record<string, Reference>>;
  readonly bindings: {
    readonly ws: {
      readonly method: 'GET';
      readonly query?: JsonSchema;
      readonly bindingVersion: '0.1.0';
    };
  };
  /** True if only Azimuth has this WebSocket, and no device. */
  readonly 'x-extension'?: true;
}

/** Name that AsyncAPI has for the responses to the messages of an operation. */
export const responseMember = 'reply';

/** What the scanner does with messages: it receives those of clients, and sends its own. */
export interface Operation {
  readonly action: 'receive' | 'send';
  readonly channel: Reference;
  readonly title: string;
  readonly summary: string;
  readonly messages: readonly Reference[];
  readonly [responseMember]?: { readonly channel: Reference; readonly messages: readonly Reference[] };
  /** User level that the operation needs: everybody may use the WebSockets. */
  readonly 'x-user-level': 'open';
}

export interface Message {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly contentType: string;
  readonly payload: JsonSchema;
  readonly correlationId?: Reference;
  readonly examples?: readonly { readonly name: string; readonly payload: unknown }[];
}

interface CorrelationId {
  readonly location: string;
  readonly description: string;
}

export interface Reference {
  readonly $ref: string;
}
