import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/**
 * Returns the compiler's diagnostics for programs that each stand alone, under TypeScript's option `strict`. The
 * programs are compiled as files of a folder, so that they can import its packages.
 */
export function typeFaultsOf(files: readonly (readonly [name: string, code: string])[], folder = '/samples'): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    // A code sample without an import is compiled as a module, too, because Node.js treats it as one.
    moduleDetection: ts.ModuleDetectionKind.Force,
    lib: ['lib.esnext.d.ts'],
    types: ['node'],
    typeRoots: [fileURLToPath(new URL('../../../node_modules/@types', import.meta.url))],
    skipLibCheck: true,
  }
  const codes = new Map(files.map(([name, code]) => [`${folder}/${name}`, code]))
  const host = ts.createCompilerHost(options)
  const { readFile, fileExists } = host
  const readable = {
    ...host,
    fileExists: (path: string) => codes.has(path) || fileExists(path),
    readFile: (path: string) => codes.get(path) ?? readFile(path),
    getSourceFile: (path: string, target: ts.ScriptTarget | ts.CreateSourceFileOptions) => {
      const code = codes.get(path)
      return code === undefined ? host.getSourceFile(path, target) : ts.createSourceFile(path, code, target)
    },
  }
  const program = ts.createProgram([...codes.keys()], options, readable)
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
}
