import type { Section } from '../declaration.js';
import type { EditionFacts } from '../product.js';
import type { JsonSchema } from '../types/schema.js';

/** OpenAPI 3.1 document, as far as a scanner needs it. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Info;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Paths;
  readonly components: Components;
}

export interface Info {
  readonly title: string;
  readonly summary: string;
  readonly description: string;
  readonly version: string;
  readonly license: { readonly name: string; readonly identifier: string };
  readonly 'x-edition': EditionFacts;
}

interface Components {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly headers: Readonly<Record<string, Header>>;
  readonly responses: Readonly<Record<string, Response>>;
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
}

export type Paths = Readonly<Record<string, PathItem>>;
export type PathItem = Readonly<Partial<Record<'get' | 'put' | 'post', Operation>>>;

export interface Operation extends Marks {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, Response | Reference>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

/** Facts for which OpenAPI has no member. */
export interface Marks {
  /** Lowest user level that may use the operation; `login` for any enabled one, `open` for everybody. */
  readonly 'x-user-level'?: string;
  readonly 'x-since'?: string;
  readonly 'x-until'?: string;
  /** True if clients can subscribe to the value as an event. */
  readonly 'x-event'?: boolean;
  /** True if the value is a parameter: WriteEeprom stores it. */
  readonly 'x-stored'?: boolean;
  /** Section of a parameter. */
  readonly 'x-section'?: Section;
  /** True if the value belongs to one scanner alone. */
  readonly 'x-of-one-scanner'?: boolean;
  /** Members of the response to a call that was carried out. Other values are a refusal. */
  readonly 'x-done'?: Readonly<Record<string, unknown>>;
  /** Data that a call loses for good, as a text that follows "loses". */
  readonly 'x-loses'?: string;
  /** True if the scanner reboots after the call. */
  readonly 'x-reboots'?: boolean;
}

export interface Reference {
  readonly $ref: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface RequestBody {
  readonly required: boolean;
  readonly content: Content;
}

export type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

export interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Content;
}

export interface SecurityScheme {
  readonly type: 'apiKey';
  readonly in: 'header';
  readonly name: string;
  readonly description: string;
}
