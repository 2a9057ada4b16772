import { join } from 'node:path';
import ts from 'typescript';
import { deploy, type Resource } from './documents.js';

/** Those of operators, by the groups of their documents. */
const packages: Readonly<Record<string, string>> = {
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'keda.sh': '@kubernetes-models/keda',
};

/** The module with the type and the schema of a document, in the packages of kubernetes-models. */
export function moduleOf({ apiVersion, kind }: Resource): string {
  const [group = ''] = apiVersion.split('/');
  return `${packages[group] ?? 'kubernetes-models'}/${apiVersion}/${kind}`;
}

/**
 * Checks documents against the types of Kubernetes. Other than the schemas, types do not admit a member that Kubernetes does
 * not know: a slip in a name would otherwise be a setting without an effect.
 * @returns the faults, each with its document
 */
export function typeFaults(documents: readonly Resource[]): readonly string[] {
  const file = join(deploy, 'documents.ts');
  const lines = documents.map(
    (document, index) =>
      `export const d${index}: import('${moduleOf(document)}').I${document.kind} = ${JSON.stringify(document.json)};`,
  );
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    // Without that of browsers, which takes as long as all the others.
    lib: ['lib.es2022.d.ts'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, target, ...rest) =>
    name === file
      ? ts.createSourceFile(name, lines.join('\n'), target)
      : getSourceFile(name, target, ...rest);
  const program = ts.createProgram([file], options, host);
  const source = program.getSourceFile(file);
  if (source === undefined) throw new Error('the documents were not read');
  return ts.getPreEmitDiagnostics(program).map(({ messageText, start = 0 }) => {
    const { line } = source.getLineAndCharacterOfPosition(start);
    const { file: yaml, kind, name } = documents[line] ?? { file: '', kind: '', name: '' };
    return `${yaml}, ${kind} ${name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
