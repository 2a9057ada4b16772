// Pages about what programs can import, made from the comments in the sources. TypeScript only parses the files: a page is
// made in less than a second, and its types are those that the sources state.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { libraries, own, publicEntries } from './packed-package.mjs';
import { root } from './prepare.mjs';

/** The entries that have a page: `device` has docs/api/device.md. */
const described = ['device', 'server'];

/** The pages, by their path in docs. */
export function apiPages() {
  return Object.fromEntries(described.map((name) => [`api/${name}.md`, pageOf(name)]));
}

/** Exported names, and members of them, that have no comment: `Hardware.reboot`. */
export function uncommented() {
  return described.flatMap((name) =>
    exportsOf(sourceOf(name)).flatMap((exported) => [
      ...(commentOf(exported.node) === '' ? [`${name} ${exported.name}`] : []),
      ...membersOf(exported)
        .filter((member) => commentOf(member) === '')
        .map((member) => `${name} ${exported.name}.${signatureOf(member)}`),
    ]),
  );
}

const parsed = new Map();

function parse(file) {
  const before = parsed.get(file);
  if (before !== undefined) return before;
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  parsed.set(file, source);
  return source;
}

/** The source of an entry. */
function sourceOf(name) {
  const { library, targets } = publicEntries.find((entry) => entry.name === name);
  return join(root, library.folder, targets.source);
}

/** The file that an import names; undefined for modules of Node and of others. */
function fileOf(specifier, from) {
  if (specifier.startsWith('.')) return resolve(from, '..', specifier.replace(/\.js$/, '.ts'));
  for (const { manifest, folder } of libraries) {
    if (specifier !== manifest.name && !specifier.startsWith(`${manifest.name}/`)) continue;
    return join(root, folder, manifest.exports[`.${specifier.slice(manifest.name.length)}`].source);
  }
  return undefined;
}

/** What an entry exports: names with their declarations, by name. */
function exportsOf(file) {
  const source = parse(file);
  const entryMark = markIn(source.text.slice(0, source.getStart()));
  const found = source.statements.filter(ts.isExportDeclaration).flatMap((statement) => {
    const { exportClause, moduleSpecifier, isTypeOnly } = statement;
    const leading = source.text.slice(statement.getFullStart(), statement.getStart());
    const mark =
      markIn(leading.split('@packageDocumentation').at(-1).split('\n').slice(1).join('\n')) ?? entryMark;
    return exportClause.elements.map(({ name, propertyName, isTypeOnly: ofElement }) => ({
      name: name.text,
      mark,
      isType: isTypeOnly || ofElement,
      node: declarationOf((propertyName ?? name).text, fileOf(moduleSpecifier.text, file)),
    }));
  });
  return found.sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
}

const markIn = (text) => /@(stable|experimental)\b/.exec(text)?.[1];

/** The declaration of a name in a file, or in the file from which that one has it; undefined if it is not ours. */
function declarationOf(name, file) {
  for (const statement of parse(file).statements) {
    if (ts.isVariableStatement(statement)) {
      if (statement.declarationList.declarations.some((each) => each.name.getText() === name))
        return statement;
    } else if (statement.name?.text === name) return statement;
    const clause = ts.isImportDeclaration(statement)
      ? statement.importClause?.namedBindings
      : ts.isExportDeclaration(statement) && statement.exportClause;
    const element = clause?.elements?.find((each) => each.name.text === name);
    if (element === undefined || statement.moduleSpecifier === undefined) continue;
    const from = fileOf(statement.moduleSpecifier.text, file);
    if (from !== undefined) return declarationOf((element.propertyName ?? element.name).text, from);
  }
  return undefined;
}

/**
 * The members of a class or an interface that programs use, with those of bases that are not exported themselves. What is
 * exported has its own section: a base, or an interface that the class implements.
 */
function membersOf({ node, isType = false }) {
  if (!ts.isClassDeclaration(node) && !ts.isInterfaceDeclaration(node)) return [];
  const elsewhere = namesIn([node, ...hiddenBases(node)].flatMap(implementedBy));
  const own = node.members
    .filter(isPublic)
    .filter((member) => !isType || !isMadeByClass(member))
    .filter((member) => !elsewhere.has(member.name?.getText()));
  const names = namesIn([node]);
  const inherited = hiddenBases(node).flatMap((base) => membersOf({ node: base, isType }));
  return [...own, ...inherited.filter((member) => !names.has(member.name?.getText()))];
}

const namesIn = (nodes) =>
  new Set(nodes.flatMap(({ members = [] }) => members.map((member) => member.name?.getText())));

/** Constructors and static members: a name that is exported as a type does not have them. */
const isMadeByClass = (member) =>
  ts.isConstructorDeclaration(member) ||
  (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0;

/** The interfaces that a class implements, and their bases. */
function implementedBy(node) {
  const clauses = (node.heritageClauses ?? []).filter(
    ({ token }) => ts.isInterfaceDeclaration(node) || token === ts.SyntaxKind.ImplementsKeyword,
  );
  const direct = clauses.flatMap(({ types }) =>
    types.flatMap(({ expression }) => (everyName.has(expression.getText()) ? declared(expression) : [])),
  );
  return direct.flatMap((each) => [each, ...implementedBy(each)]);
}

const declared = (name) => declarationOf(name.getText(), name.getSourceFile().fileName) ?? [];

function isPublic(member) {
  const modifiers = ts.getCombinedModifierFlags(member);
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected | ts.ModifierFlags.Override;
  if ((modifiers & hidden) !== 0 || ts.isClassStaticBlockDeclaration(member)) return false;
  return member.name === undefined || !ts.isPrivateIdentifier(member.name);
}

/** The types after `extends` or `implements`. */
const heritageOf = (node, keyword) =>
  (node.heritageClauses ?? []).filter(({ token }) => token === keyword).flatMap(({ types }) => types);

/** The bases that no program can import: their members count as those of the declaration. */
const hiddenBases = (node) =>
  heritageOf(node, ts.SyntaxKind.ExtendsKeyword).flatMap(({ expression }) =>
    everyName.has(expression.getText()) ? [] : declared(expression),
  );

/** The names that have a section in one of the pages. */
const everyName = new Map(
  described.flatMap((page) =>
    exportsOf(sourceOf(page)).map(({ name }) => [name, `${page}.md#${name.toLowerCase()}`]),
  ),
);

const docOf = (node) => node.jsDoc?.at(-1);

/** The text of a comment in Markdown, without its tags. */
function commentOf(node) {
  return markdown(ts.getTextOfJSDocComment(docOf(node)?.comment) ?? '');
}

/** Names in links of comments are code. */
function markdown(text) {
  return text.replace(/\{@link\s+([^}|]+?)\s*\}/g, '`$1`').trim();
}

/** What the tags of a comment say, as sentences: parameters, the result and errors. */
function tagsOf(node) {
  return (docOf(node)?.tags ?? []).flatMap((tag) => {
    const text = markdown(ts.getTextOfJSDocComment(tag.comment) ?? '').replace(/^- /, '');
    switch (tag.tagName.text) {
      case 'param':
        return `\`${tag.name.getText()}\`: ${text}`;
      case 'returns':
        return `Returns ${text}`;
      case 'throws':
        return `Throws ${text}`;
      default:
        return [];
    }
  });
}

/** The declaration of a member or a function in one line, as programs see it. */
function signatureOf(node) {
  const parameters = (node.parameters ?? []).map(parameterOf).join(', ');
  const generics = node.typeParameters ? `<${node.typeParameters.map(oneLine).join(', ')}>` : '';
  const result = node.type ? `: ${oneLine(node.type)}` : '';
  if (ts.isConstructorDeclaration(node)) return `new ${node.parent.name.text}(${parameters})`;
  if (ts.isCallSignatureDeclaration(node)) return `(${parameters})${result}`;
  const isStatic = (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Static) !== 0;
  const name = `${isStatic ? 'static ' : ''}${node.name.getText()}${node.questionToken ? '?' : ''}`;
  if (ts.isPropertySignature(node) || ts.isPropertyDeclaration(node)) return `${name}${typeOf(node)}`;
  if (ts.isGetAccessor(node)) return `${name}${result}`;
  return `${name}${generics}(${parameters})${result}`;
}

function parameterOf(parameter) {
  const { name, dotDotDotToken, questionToken, initializer } = parameter;
  const text = ts.isIdentifier(name) ? name.text : lastWord(parameter.type.getText());
  const isOptional = questionToken !== undefined || initializer !== undefined;
  return `${dotDotDotToken ? '...' : ''}${text}${isOptional ? '?' : ''}${typeOf(parameter)}`;
}

/** `geometry` of `ScanGeometry`: a parameter that the function takes apart has no name. */
const lastWord = (type) => (/[A-Z][a-z]*$/.exec(type)?.[0] ?? type).toLowerCase();

/** The type of a property or a parameter after a colon, as stated or as its literal value says; empty without both. */
function typeOf({ type, initializer }) {
  if (type) return `: ${oneLine(type)}`;
  if (initializer === undefined) return '';
  if (ts.isNumericLiteral(initializer)) return ': number';
  return ts.isNewExpression(initializer) ? `: ${initializer.getText().replace(/^new |\(.*$/g, '')}` : '';
}

/** The text of a node without comments, in one line. */
function oneLine(node) {
  return node
    .getText()
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    .replace(/\breadonly /g, '')
    .replace(/\s+/g, ' ')
    .replace(/^\| /, '')
    .trim();
}

const kinds = new Map([
  [ts.SyntaxKind.ClassDeclaration, 'class'],
  [ts.SyntaxKind.InterfaceDeclaration, 'interface'],
  [ts.SyntaxKind.TypeAliasDeclaration, 'type'],
  [ts.SyntaxKind.FunctionDeclaration, 'function'],
  [ts.SyntaxKind.VariableStatement, 'constant'],
]);

function pageOf(page) {
  const exported = exportsOf(sourceOf(page));
  const contents = exported.map(({ name }) => `[${name}](#${name.toLowerCase()})`).join(' · ');
  const parts = [
    `# ${own.name}/${page}`,
    `\`npm run docs\` makes this page from the comments in \`packages/${page}\`: change those, not this page.`,
    'A name that is *experimental* may change in any release. The others are stable until the next major release.',
    wrapped(contents, ' · '),
    ...exported.flatMap((each) => sectionOf(each, page)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function sectionOf(exported, page) {
  const { name, mark, node } = exported;
  const facts = [
    kinds.get(node.kind),
    ...heritage(node, 'extends', ts.SyntaxKind.ExtendsKeyword, page),
    ...heritage(node, 'implements', ts.SyntaxKind.ImplementsKeyword, page),
    ...(mark === 'experimental' ? ['*experimental*'] : []),
  ];
  return [
    `## ${name}`,
    facts.join(', ').replace(/^./, (letter) => letter.toUpperCase()),
    codeOf(node),
    paragraphs(commentOf(node), ''),
    listOf(tagsOf(node), ''),
    membersOf(exported).map(itemOf).join('\n'),
  ].filter((part) => part !== '');
}

/** `extends Error`, with links to what has a section. Bases that no program can import are left out. */
function heritage(node, word, keyword, page) {
  const hidden = new Set(hiddenBases(node));
  const types = [node, ...hidden]
    .flatMap((each) => heritageOf(each, keyword))
    .filter(({ expression }) => !declaredIn(hidden, expression));
  return types.length === 0 ? [] : [`${word} ${types.map((type) => linked(oneLine(type), page)).join(', ')}`];
}

const declaredIn = (nodes, expression) => [declared(expression)].flat().some((node) => nodes.has(node));

/** The declaration of what has no list of members. */
function codeOf(node) {
  const isShown = ts.isTypeAliasDeclaration(node) || ts.isVariableStatement(node);
  if (!isShown && !ts.isFunctionDeclaration(node)) return '';
  const text = isShown ? node.getText().replace(/^export /, '') : `function ${signatureOf(node)}`;
  return `\`\`\`ts\n${text.replace(/\breadonly /g, '')}\n\`\`\``;
}

/** A member with its comment, as an item of a list. */
function itemOf(member) {
  const rest = [paragraphs(commentOf(member), '  '), listOf(tagsOf(member), '  ')].filter(
    (text) => text !== '',
  );
  return [`- \`${signatureOf(member)}\`${rest.length > 0 ? '\\' : ''}`, ...rest].join('\n');
}

const listOf = (items, indent) =>
  items
    .map((item) => `${indent}- ${wrapped(item.replace(/\s+/g, ' '), ' ', `${indent}  `).trimStart()}`)
    .join('\n');

/** A comment with lines of the page's width. Its lists and blank lines stay. */
function paragraphs(text, indent) {
  if (text === '') return '';
  return text
    .split(/\n\s*\n|\n(?=\s*[-*] )/)
    .map((part) => wrapped(part.replace(/\s+/g, ' '), ' ', indent))
    .join(indent === '' ? '\n\n' : `\n`);
}

/** The name of a type with a link to its section, on this page or another. */
function linked(type, page) {
  const place = everyName.get(type);
  return place === undefined ? `\`${type}\`` : `[${type}](${place.replace(`${page}.md`, '')})`;
}

/** A text whose lines have at most 120 characters, broken at a separator. */
function wrapped(text, separator, indent = '') {
  const lines = [''];
  for (const part of text.split(separator)) {
    const line = lines.at(-1);
    const next = line === '' ? part : `${line}${separator}${part}`;
    if (`${indent}${next}`.length > 120 && line !== '') lines.push(part);
    else lines[lines.length - 1] = next;
  }
  return lines.map((line) => `${indent}${line}`).join(`${separator.trimEnd()}\n`);
}
