import { readdir, readFile } from 'node:fs/promises'
import ts from 'typescript'
import type { GeneratedFile } from '../generated-file.ts'
import { idempotentOperations } from './idempotent-operations.ts'
import { clientMethodsModule } from './methods.ts'

/**
 * The TypeScript client as JavaScript with type declarations. Each file is compiled alone, which takes a tenth of the
 * time of a whole compilation; the test of the package compiles programs against the declarations.
 */

const folder = 'generated/clients/typescript'

/**
 * The first line of each compiled file. The JavaScript of a derived module already starts with this line, so the line
 * is not added again.
 */
const notice = '// DO NOT EDIT. Written by `npm run generate`'

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
  strict: true,
}

export async function typescriptClient(): Promise<GeneratedFile[]> {
  const derived = [
    { path: 'generated/idempotent-operations.ts', text: idempotentOperations() },
    { path: 'generated/client-methods.ts', text: clientMethodsModule() },
  ]
  const own = await Promise.all((await sources()).map(async (path) => ({ path, text: await readFile(path, 'utf8') })))
  return [...derived, ...[...own, ...derived].flatMap(compiled)]
}

/** Includes the webhook verifier, which also works without the client. */
async function sources(): Promise<string[]> {
  const names = (await readdir('src/client')).filter((name) => name.endsWith('.ts')).sort()
  return [...names.map((name) => `src/client/${name}`), 'src/receiver/verify-webhook.ts']
}

function compiled({ path, text }: GeneratedFile): GeneratedFile[] {
  const options = { fileName: path, reportDiagnostics: true }
  const script = ts.transpileModule(text, { ...options, compilerOptions })
  const declaring = { ...compilerOptions, declaration: true, isolatedDeclarations: true }
  const declaration = ts.transpileDeclaration(text, { ...options, compilerOptions: declaring })
  const [fault] = [...(script.diagnostics ?? []), ...(declaration.diagnostics ?? [])]
  if (fault !== undefined) throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(fault.messageText, ' ')}`)
  const target = `${folder}/${path.replace(/\.ts$/, '')}`
  return [
    { path: `${target}.js`, text: marked(script.outputText) },
    { path: `${target}.d.ts`, text: marked(declaration.outputText) },
  ]
}

function marked(text: string): string {
  return text.startsWith(notice) ? text : `${notice}.\n${text}`
}
