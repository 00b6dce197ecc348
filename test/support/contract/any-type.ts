import ts from 'typescript'

/** Compiles files as a strict TypeScript project. Returns the compiler's diagnostics. */
export function compileStrictly(files: readonly string[]): { readonly program: ts.Program; readonly faults: string[] } {
  const program = ts.createProgram([...files], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  })
  const faults = ts.getPreEmitDiagnostics(program).map(({ messageText, file }) => {
    return `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
  return { program, faults }
}

export function exportedTypes(program: ts.Program, path: string): Map<string, ts.Type> {
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(path)
  const symbol = file && checker.getSymbolAtLocation(file)
  if (symbol === undefined) throw new Error(`${path} is not a module of the program.`)
  return new Map(
    checker.getExportsOfModule(symbol).map((each) => [each.name, checker.getDeclaredTypeOfSymbol(each)] as const),
  )
}

/** Returns the paths, at any depth, of all parts of a type that are `any`. */
export function anysIn(program: ts.Program, type: ts.Type, path: string): string[] {
  const checker = program.getTypeChecker()
  const seen = new Set<ts.Type>()
  const look = (each: ts.Type, at: string): string[] => {
    if ((each.flags & ts.TypeFlags.Any) !== 0) return [at]
    if (seen.has(each)) return []
    seen.add(each)
    if (each.isUnionOrIntersection()) return each.types.flatMap((member) => look(member, at))
    if ((each.flags & ts.TypeFlags.Object) === 0) return []
    const elements = checker.isArrayType(each) || checker.isTupleType(each) ? elementsOf(checker, each) : undefined
    if (elements !== undefined) return elements.flatMap((element) => look(element, `${at}[]`))
    return [
      ...each.getProperties().flatMap((property) => look(checker.getTypeOfSymbol(property), `${at}.${property.name}`)),
      ...checker.getIndexInfosOfType(each).flatMap((info) => look(info.type, `${at}[key]`)),
      ...each.getCallSignatures().flatMap((signature) => look(signature.getReturnType(), `${at}()`)),
    ]
  }
  return look(type, path)
}

function elementsOf(checker: ts.TypeChecker, type: ts.Type): readonly ts.Type[] {
  const info = checker.getIndexInfoOfType(type, ts.IndexKind.Number)
  return info === undefined ? [] : [info.type]
}

export function propertiesOf(program: ts.Program, type: ts.Type): Map<string, ts.Type> {
  const checker = program.getTypeChecker()
  return new Map(type.getProperties().map((property) => [property.name, checker.getTypeOfSymbol(property)] as const))
}
