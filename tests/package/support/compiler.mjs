/** The TypeScript compiler on files of a project. */
import ts from "typescript";

const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
};

/** The complaints of the compiler about files and everything they import; empty when all is well. */
export function complaints(files, options) {
  const program = ts.createProgram(files, { ...STRICT, ...options });
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, "\n");
    if (!file) return text;
    const { line } = file.getLineAndCharacterOfPosition(start ?? 0);
    return `${file.fileName}:${line + 1}: ${text}`;
  });
}
