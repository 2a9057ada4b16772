import { isObject } from '@azimuth/model';
import { nearestName } from '@azimuth/wording';
import { isMap, isScalar, isSeq } from 'yaml';
import { z } from 'zod';
import { wordOf, type YamlFile } from './yaml-file.js';

/** Characters of a value that a message shows. */
const longestShown = 60;

/** A map that has these members and no others. @param expected what is told of anything else */
export function members<Shape extends z.core.$ZodLooseShape>(expected: string, shape: Shape) {
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? undefined : expected),
  });
}

/** A text as it is written: `007` is one, too. */
export const text = z.string({ error: 'expected a text' });

/** A whole number, bounds included. */
export function whole(least: number, most: number) {
  const error = ({ input }: { readonly input?: unknown }) =>
    `expected a whole number from ${least} to ${most}, got ${shown(input)}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
}

function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > longestShown ? `${json.slice(0, longestShown)}…` : json;
}

interface FormOptions {
  /** The key whose value the node is, and its name: what is missing is told there. */
  readonly owner?: { readonly key: unknown; readonly name: string };
  /** What is told of a member that the form does not have. */
  readonly unknown?: (member: string, known: readonly string[]) => string;
}

/**
 * What a node of a file means. What is `z.unknown()` in the form is the node itself.
 * @returns undefined if anything is wrong, which is reported to the file where it is
 */
export function meaningOf<Form extends z.ZodType>(
  file: YamlFile,
  form: Form,
  node: unknown,
  options?: FormOptions,
): z.output<Form> | undefined {
  const { data, error } = form.safeParse(jsonIn(file, form, node));
  if (error !== undefined) report(file, form, node, error, options);
  return data;
}

/** The members of a node that are as the form says. The others are reported to the file where they are. */
export function rightMembersOf<Shape extends z.core.$ZodLooseShape>(
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
  { owner, unknown = thereIsNo }: FormOptions = {},
): void {
  for (const { path, message, ...issue } of issues) {
    const { at, isWhole } = nodeAt(file, node, path);
    const place = placeOf(path);
    const told = (what: string) => (place === '' ? what : `${place}: ${what}`);
    if (issue.code === 'unrecognized_keys') {
      const known = membersAt(form, path);
      for (const member of issue.keys)
        file.report(pairOf(file.resolved(at), member)?.key, told(unknown(member, known)));
    } else if (isWhole) file.report(at, told(message));
    else {
      const missing = `${place} is missing`;
      file.report(owner?.key ?? at, owner === undefined ? missing : `${owner.name}: ${missing}`);
    }
  }
}

/** `groups.night[2]` */
function placeOf(path: readonly PropertyKey[]): string {
  const words = path.map((name) => (typeof name === 'number' ? `[${name}]` : `.${String(name)}`));
  return words.join('').replace(/^\./, '');
}

/** What is told of a member that there is not. */
export function thereIsNo(member: string, known: readonly string[]): string {
  const near = nearestName(member, known);
  return `there is no member "${member}"${near === undefined ? '' : `; did you mean ${near}?`}`;
}

/** JSON of a node, in which texts are as they are written, and what the form leaves to others is the node. */
function jsonIn(file: YamlFile, form: z.core.$ZodType | undefined, written: unknown): unknown {
  const inner = innerOf(form);
  if (inner instanceof z.ZodUnknown) return written;
  const node = file.resolved(written);
  if (isMap(node)) {
    const members = node.items.map(({ key, value }) => {
      const name = wordOf(key);
      return [name, jsonIn(file, memberOf(inner, name), value)] as const;
    });
    return Object.fromEntries(members);
  }
  if (isSeq(node)) return node.items.map((item) => jsonIn(file, itemOf(inner), item));
  if (!isScalar(node)) return undefined;
  const isText = inner instanceof z.ZodString || inner instanceof z.ZodEnum;
  return isText && typeof node.value === 'number' ? (node.source ?? String(node.value)) : node.value;
}

/** A form without what may be left out, and before it is turned into something else. */
function innerOf(form: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  if (form instanceof z.ZodOptional || form instanceof z.ZodNullable || form instanceof z.ZodDefault)
    return innerOf(form.unwrap());
  return form instanceof z.ZodPipe ? innerOf(form.in) : form;
}

function memberOf(form: z.core.$ZodType | undefined, name: string): z.core.$ZodType | undefined {
  if (form instanceof z.ZodRecord) return form.valueType;
  return form instanceof z.ZodObject && Object.hasOwn(form.shape, name) ? form.shape[name] : undefined;
}

function itemOf(form: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  return form instanceof z.ZodArray ? form.element : undefined;
}

/** The names of the members on a path in a form. */
function membersAt(form: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  let at = innerOf(form);
  for (const name of path) at = innerOf(itemOf(at) ?? memberOf(at, String(name)));
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

/** The deepest node on a path that is there, and whether it is the one at its end. */
function nodeAt(file: YamlFile, node: unknown, path: readonly PropertyKey[]) {
  let at = node;
  for (const name of path) {
    const inside = file.resolved(at);
    const next = isSeq(inside) ? inside.items[Number(name)] : pairOf(inside, String(name))?.value;
    if (next === undefined || next === null) return { at, isWhole: false };
    at = next;
  }
  return { at, isWhole: true };
}

function pairOf(node: unknown, name: string) {
  return isMap(node) ? node.items.find(({ key }) => wordOf(key) === name) : undefined;
}
