import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

/**
 * `npm run sizes`: lists the largest folders, files and functions. The limits are recommendations, so exceeding one
 * fails no check. A long file may be a table, and a long function may be one list of steps.
 */

/** Recommended maximum number of files in a folder. The list of its files should fit on one screen. */
const folderFilesMax = 25
/** Recommended maximum length of a file in lines. A longer file usually has a second subject. */
const fileLinesMax = 350
/**
 * Recommended maximum length of a function in lines. A longer function usually has parts that should be separate
 * functions.
 */
const functionLinesMax = 50
/**
 * Recommended maximum number of parameters. More are easily passed in the wrong order; one object with named members is
 * better.
 */
const parametersMax = 3

interface Outlier {
  readonly size: number
  readonly name: string
}

const paths = ['registry', 'src', 'scripts', 'test'].flatMap(sourcesIn)
const files = paths.map((path) => ts.createSourceFile(path, ts.sys.readFile(path) ?? '', ts.ScriptTarget.Latest, true))

// Test files are not listed, because a describe block is as long as its list of tests.
const functions = files.filter(({ fileName }) => !fileName.startsWith('test/')).flatMap(functionsOf)
print(`Folders of more than ${folderFilesMax} files`, countByFolder(), folderFilesMax)
print(`Files of more than ${fileLinesMax} lines`, files.map(lengthOfFile), fileLinesMax)
print(
  `Functions of more than ${functionLinesMax} lines`,
  functions.map(({ lines: size, name }) => ({ size, name })),
  functionLinesMax,
)
print(
  `Functions of more than ${parametersMax} parameters`,
  functions.map(({ parameters: size, name }) => ({ size, name })),
  parametersMax,
)

function print(title: string, all: readonly Outlier[], max: number): void {
  const outliers = all.filter(({ size }) => size > max).sort((a, b) => b.size - a.size)
  console.log(`${title}: ${outliers.length} of ${all.length}`)
  for (const { size, name } of outliers) console.log(`  ${String(size).padStart(5)}  ${name}`)
}

function countByFolder(): Outlier[] {
  const counts = new Map<string, number>()
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return [...counts].map(([name, size]) => ({ name, size }))
}

function lengthOfFile(file: ts.SourceFile): Outlier {
  return { name: file.fileName, size: file.getLineStarts().length - 1 }
}

function functionsOf(file: ts.SourceFile) {
  const found: { readonly name: string; readonly lines: number; readonly parameters: number }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const { line: first } = file.getLineAndCharacterOfPosition(node.getStart())
      const { line: last } = file.getLineAndCharacterOfPosition(node.end)
      found.push({ name: `${file.fileName}:${first + 1}`, lines: last - first + 1, parameters: node.parameters.length })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith('.ts'))
    .sort()
}
