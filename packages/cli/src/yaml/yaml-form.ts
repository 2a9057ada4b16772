import { isObject } from '@azimuth/model';
import { nearestName } from '@azimuth/wording';
import { isMap, isScalar, isSeq } from 'yaml';
import { z } from 'zod';
import { keyText, type YamlFile } from './yaml-file.js';

/** Maximum characters of a value in a message. */
const maxShownLength = 60;

/** A map with these members and no others. @param expected message for anything else */
export function members<Shape extends z.core.$ZodLooseShape>(expected: string, shape: Shape) {
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? undefined : expected),
  });
}

/** A text as written: `007` is a text, too. */
export const text = z.string({ error: 'expected a text' });

/** A whole number, bounds included. */
export function wholeNumber(least: number, most: number) {
  const error = ({ input }: { readonly input?: unknown }) =>
    `expected a whole number from ${least} to ${most}, got ${shortened(input)}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
}

function shortened(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > maxShownLength ? `${json.slice(0, maxShownLength)}…` : json;
}

interface FormOptions {
  /** The key of the node, and its name: missing members are reported there. */
  readonly owner?: { readonly key: unknown; readonly name: string };
  /** Returns the message about an unknown member. */
  readonly unknown?: (member: string, known: readonly string[]) => string;
}

/**
 * Parses a node of a file. For `z.unknown()` in the form, the result has the node itself.
 * @returns undefined if anything is wrong; each mistake is reported at its place in the file
 */
export function parsedNode<Form extends z.ZodType>(
  file: YamlFile,
  form: Form,
  node: unknown,
  options?: FormOptions,
): z.output<Form> | undefined {
  const { data, error } = form.safeParse(jsonIn(file, form, node));
  if (error !== undefined) report(file, form, node, error, options);
  return data;
}

/** Returns the valid members of a node. The others are reported at their place in the file. */
export function validMembers<Shape extends z.core.$ZodLooseShape>(
  file: YamlFile,
  form: z.ZodObject<Shape, z.core.$strict>,
  node: unknown,
  options?: FormOptions,
) {
  const written = jsonIn(file, form, node);
  const { data, error } = form.safeParse(written);
  if (error === undefined) return data;
  report(file, form, node, error, options);
  const wrong = new Set(
    error.issues.flatMap(({ path, ...issue }) =>
      path.length === 0 && issue.code === 'unrecognized_keys' ? issue.keys : path.slice(0, 1),
    ),
  );
  const right = Object.entries(isObject(written) ? written : {}).filter(([name]) => !wrong.has(name));
  return form.partial().parse(Object.fromEntries(right));
}

function report(
  file: YamlFile,
  form: z.ZodType,
  node: unknown,
  { issues }: z.ZodError,
  { owner, unknown = unknownMember }: FormOptions = {},
): void {
  for (const { path, message, ...issue } of issues) {
    const { at, isComplete } = nodeAt(file, node, path);
    const place = pathText(path);
    const report = (what: string) => (place === '' ? what : `${place}: ${what}`);
    if (issue.code === 'unrecognized_keys') {
      const known = membersAt(form, path);
      for (const member of issue.keys)
        file.report(memberPair(file.resolved(at), member)?.key, report(unknown(member, known)));
    } else if (isComplete) file.report(at, report(message));
    else {
      const missing = `${place} is missing`;
      file.report(owner?.key ?? at, owner === undefined ? missing : `${owner.name}: ${missing}`);
    }
  }
}

/** Returns a path such as `groups.night[2]`. */
function pathText(path: readonly PropertyKey[]): string {
  const words = path.map((name) => (typeof name === 'number' ? `[${name}]` : `.${String(name)}`));
  return words.join('').replace(/^\./, '');
}

/** Returns the message about an unknown member. */
export function unknownMember(member: string, known: readonly string[]): string {
  const near = nearestName(member, known);
  return `there is no member "${member}"${near === undefined ? '' : `; did you mean ${near}?`}`;
}

/** Returns JSON of a node, with texts as written. Parts with an open form stay nodes. */
function jsonIn(file: YamlFile, form: z.core.$ZodType | undefined, written: unknown): unknown {
  const inner = innerForm(form);
  if (inner instanceof z.ZodUnknown) return written;
  const node = file.resolved(written);
  if (isMap(node)) {
    const members = node.items.map(({ key, value }) => {
      const name = keyText(key);
      return [name, jsonIn(file, memberForm(inner, name), value)] as const;
    });
    return Object.fromEntries(members);
  }
  if (isSeq(node)) return node.items.map((item) => jsonIn(file, itemForm(inner), item));
  if (!isScalar(node)) return undefined;
  const isText = inner instanceof z.ZodString || inner instanceof z.ZodEnum;
  return isText && typeof node.value === 'number' ? (node.source ?? String(node.value)) : node.value;
}

/** Returns a form without its optional and transforming wrappers. */
function innerForm(form: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  if (form instanceof z.ZodOptional || form instanceof z.ZodNullable || form instanceof z.ZodDefault)
    return innerForm(form.unwrap());
  return form instanceof z.ZodPipe ? innerForm(form.in) : form;
}

function memberForm(form: z.core.$ZodType | undefined, name: string): z.core.$ZodType | undefined {
  if (form instanceof z.ZodRecord) return form.valueType;
  return form instanceof z.ZodObject && Object.hasOwn(form.shape, name) ? form.shape[name] : undefined;
}

function itemForm(form: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  return form instanceof z.ZodArray ? form.element : undefined;
}

/** Returns the names of the members on a path in a form. */
function membersAt(form: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  let at = innerForm(form);
  for (const name of path) at = innerForm(itemForm(at) ?? memberForm(at, String(name)));
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

/** Returns the deepest existing node on a path, and true if it is the one at its end. */
function nodeAt(file: YamlFile, node: unknown, path: readonly PropertyKey[]) {
  let at = node;
  for (const name of path) {
    const inside = file.resolved(at);
    const next = isSeq(inside) ? inside.items[Number(name)] : memberPair(inside, String(name))?.value;
    if (next === undefined || next === null) return { at, isComplete: false };
    at = next;
  }
  return { at, isComplete: true };
}

function memberPair(node: unknown, name: string) {
  return isMap(node) ? node.items.find(({ key }) => keyText(key) === name) : undefined;
}
