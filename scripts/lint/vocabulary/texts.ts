import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** A text or a name of this project, prepared for the vocabulary check. */
export interface Text {
  /** The file and the line, such as `src/base/clock.ts:12`. */
  readonly place: string
  readonly kind: 'name' | 'text'
  /** The checked text as lower-case words separated by single spaces. */
  readonly words: string
}

const sourceFolders = ['registry', 'src', 'scripts', 'test']
const documents = ['README.md', 'CHANGELOG.md']
/**
 * The names of columns, tables and constraints in the migrated schema. The migrations are not checked, because landed
 * migrations never change.
 */
const schema = 'generated/schema.sql'

/** Files that contain avoided terms on purpose: search synonyms, former job names, and the test of this check. */
const excludedFiles = [
  'scripts/reference/search-terms.ts',
  'test/reference/search.test.ts',
  'test/scripts/lint/vocabulary.test.ts',
  'test/store/job-names.test.ts',
]

/**
 * Returns the texts to check: comments, string literals, declared names and file names of the source files; paragraphs
 * of the documents; names in the database schema.
 */
export function textsOfProject(): Text[] {
  const paths = sourceFolders.flatMap(filesIn).filter((path) => !excludedFiles.includes(path))
  const pages = [...documents, ...paths.filter((path) => path.endsWith('.md'))]
  return [
    ...paths.map((path) => name(path, 1, path)),
    ...paths.filter((path) => path.endsWith('.ts')).flatMap((path) => textsOfSource(path, readFileSync(path, 'utf8'))),
    ...pages.flatMap((path) => paragraphsOf(path, readFileSync(path, 'utf8'))),
    ...namesOfSchema(readFileSync(schema, 'utf8')),
  ]
}

export function textsOfSource(path: string, source: string): Text[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true)
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1
  const found = new Map<number, Text>()
  const addComments = (ranges: readonly ts.CommentRange[] | undefined) => {
    for (const { pos, end } of ranges ?? []) found.set(pos, text(path, lineOf(pos), proseOf(source.slice(pos, end))))
  }
  const visit = (node: ts.Node): void => {
    addComments(ts.getLeadingCommentRanges(source, node.pos))
    addComments(ts.getTrailingCommentRanges(source, node.end))
    if (ts.isIdentifier(node) && isDeclared(node))
      found.set(node.getStart(), name(path, lineOf(node.getStart()), node.text))
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) {
      found.set(node.getStart(), literal(path, lineOf(node.getStart()), node.text))
    }
    for (const child of node.getChildren(file)) visit(child)
  }
  visit(file)
  return [...found.values()]
}

/** Whether the file declares the identifier itself. A name that is declared elsewhere is checked there. */
function isDeclared(identifier: ts.Identifier): boolean {
  const { parent } = identifier
  if (ts.isPropertyAccessExpression(parent) || ts.isImportSpecifier(parent) || ts.isImportClause(parent)) return false
  return 'name' in parent && parent.name === identifier
}

/**
 * A string literal without spaces is an identifier, an enum value or a path. Imported paths are skipped, because the
 * name of the imported file is checked.
 */
function literal(path: string, line: number, value: string): Text {
  return /^\S*$/.test(value) ? name(path, line, value.startsWith('.') ? '' : value) : text(path, line, value)
}

function paragraphsOf(path: string, page: string): Text[] {
  let line = 1
  return page.split(/\n(?=\s*\n)/).map((paragraph) => {
    const found = text(path, line + leadingLines(paragraph), paragraph)
    line += paragraph.split('\n').length
    return found
  })
}

function leadingLines(paragraph: string): number {
  return paragraph.slice(0, paragraph.search(/\S|$/)).split('\n').length - 1
}

function namesOfSchema(sql: string): Text[] {
  return sql.split('\n').flatMap((line, index) => {
    return line
      .split(/\W+/)
      .filter((word) => word.includes('_'))
      .map((identifier) => name(schema, index + 1, identifier))
  })
}

function proseOf(comment: string): string {
  const lines = comment.replace(/^\/\*\*?|\*\/$|^\/\//g, '').split('\n')
  return lines.map((line) => line.trimStart().replace(/^\*/, '')).join('\n')
}

function text(path: string, line: number, value: string): Text {
  return { place: `${path}:${line}`, kind: 'text', words: wordsOf(value.replaceAll('_', ' ')) }
}

function name(path: string, line: number, value: string): Text {
  const words = value.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[^\p{L}\p{N}]+/gu, ' ')
  return { place: `${path}:${line}`, kind: 'name', words: wordsOf(words) }
}

function wordsOf(value: string): string {
  return value.replace(/\s+/g, ' ').trim().toLowerCase()
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((path) => /\.(ts|md)$/.test(path) && !path.startsWith('scripts/lint/vocabulary/'))
    .sort()
}
