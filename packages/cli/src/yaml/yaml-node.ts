import { completed } from '@azimuth/client';
import { isObject, type Shape, sameJson, type Variable } from '@azimuth/model';
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { YamlFile } from './yaml-file.js';
import { shapeJson, wrong } from './yaml-value.js';

/** Writes the values of a parameter into a document. */
export class NodeWriter {
  readonly #file: YamlFile;
  readonly #variable: Variable<unknown>;
  /** True if members that are missing in the document are left out, too. */
  readonly #listed: boolean;

  constructor(file: YamlFile, variable: Variable<unknown>, listed = false) {
    this.#file = file;
    this.#variable = variable;
    this.#listed = listed;
  }

  /** Makes a node for a value: enumerations by their names, addresses with dots, and units as comments. */
  node(json: unknown): Node {
    return this.#node(this.#variable.type.shape, json, '');
  }

  /**
   * Makes the node for a value in place of an existing one. Nodes with the same value stay as written; comments and
   * the order stay in any case.
   */
  updated(node: unknown, json: unknown): Node {
    return this.#updated(this.#variable.type.shape, node, json, '');
  }

  /** True if a node has this value, or a part of it. */
  means(node: unknown, json: unknown): boolean {
    const parsed = this.#parsed(this.#variable.type.shape, node);
    return parsed !== wrong && sameJson(completed(this.#variable.type.shape, parsed, json), json);
  }

  #node(shape: Shape, json: unknown, member: string): Node {
    if (shape.kind === 'struct' && isObject(json)) {
      const map = new YAMLMap();
      for (const [name, value] of Object.entries(json)) {
        map.set(name, this.#node(memberShape(shape, name), value, name));
      }
      return map;
    }
    if (shape.kind === 'array' && Array.isArray(json)) {
      const list = new YAMLSeq();
      for (const value of json) list.add(this.#node(shape.of, value, member));
      list.flow = list.items.every((item) => isScalar(item));
      return list;
    }
    const scalar = new Scalar(written(shape, json));
    const unit =
      shape.kind === 'integer' || shape.kind === 'float' ? this.#variable.unitOf(member) : undefined;
    if (unit !== undefined) scalar.comment = ` ${unit}`;
    return scalar;
  }

  #updated(shape: Shape, node: unknown, json: unknown, member: string): Node {
    if (isMap(node) && shape.kind === 'struct' && isObject(json)) {
      for (const [name, value] of Object.entries(json)) {
        const inner = memberShape(shape, name);
        const before: unknown = node.get(name, true);
        if (before !== undefined) node.set(name, this.#updated(inner, before, value, name));
        else if (!this.#listed) node.set(name, this.#node(inner, value, name));
      }
      return node;
    }
    const parsed = this.#parsed(shape, node);
    if (parsed !== wrong && sameJson(parsed, json) && isNodeHere(node)) return node;
    if (isSeq(node) && shape.kind === 'array' && Array.isArray(json)) {
      node.items = json.map((value: unknown, index) =>
        index < node.items.length
          ? this.#updated(shape.of, node.items[index], value, member)
          : this.#node(shape.of, value, member),
      );
      return node;
    }
    const fresh = this.#node(shape, json, member);
    if (isScalar(node) && isScalar(fresh)) {
      node.value = fresh.value;
      return node;
    }
    if (isNodeHere(node)) {
      if (node.commentBefore) fresh.commentBefore = node.commentBefore;
      if (node.comment) fresh.comment = node.comment;
    }
    return fresh;
  }

  #parsed(shape: Shape, node: unknown): unknown {
    return shapeJson(new YamlFile(this.#file.path, ''), shape, this.#file.resolved(node));
  }
}

/** A struct of a newer release may have unknown members. */
const unknownShape: Shape = { kind: 'string', minLength: 0, maxLength: 0, lines: true };

function memberShape(struct: Extract<Shape, { kind: 'struct' }>, name: string): Shape {
  return (Object.hasOwn(struct.members, name) ? struct.members[name]?.shape : undefined) ?? unknownShape;
}

function written(shape: Shape, json: unknown): unknown {
  if (shape.kind === 'enumeration') {
    return Object.keys(shape.values).find((name) => shape.values[name] === json) ?? json;
  }
  if (shape.kind === 'address' && Array.isArray(json)) {
    if (shape.of === 'IPv4') return json.join('.');
    return json.map((byte: unknown) => Number(byte).toString(16).padStart(2, '0')).join(':');
  }
  return json;
}

function isNodeHere(node: unknown): node is Node {
  return isMap(node) || isSeq(node) || isScalar(node) || isAlias(node);
}

/**
 * Returns the text of a document, without breaking long lines.
 * @param before the old text; lists on one line keep its style: `[1, 2]` or `[ 1, 2 ]`
 */
export function documentText(document: Document, before = ''): string {
  return document.toString({ lineWidth: 0, flowCollectionPadding: /[[{] /.test(before) });
}
