import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anchorsOf, arrowsOf, documents, headingAnchorsOf, namedExportsOf, pathsOf } from './documents.ts'

describe.each(documents)('the document %s', (document) => {
  test('a document for contributors names only file paths that exist', () => {
    const paths = pathsOf(document)
    expect(paths.length).toBeGreaterThan(5)
    // The text of a guide for contributors may name only existing files. Only its diffs may name new files.
    expect(paths.filter((path) => !existsSync(path))).toEqual([])
  })

  test('a document for contributors links only to sections that exist', () => {
    expect(anchorsOf(document).filter(({ path, anchor }) => !headingAnchorsOf(path).includes(anchor))).toEqual([])
  })

  test('a document for contributors names only existing exports of the files that it mentions', () => {
    const named = namedExportsOf(document)
    expect(named.length).toBeGreaterThan(1)
    expect(named.filter(({ path, name }) => !exportsName(path, name))).toEqual([])
  })

  test('a document for contributors has paragraphs of at most five lines', () => {
    const prose = readFileSync(document, 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
    const paragraphs = prose.split(/\n{2,}/).filter((text) => !/^(\||- |\d+\. )/.test(text))
    expect(paragraphs.filter((text) => text.trim().split('\n').length > 5)).toEqual([])
  })
})

test('the module map in src/README.md shows exactly the imports between the folders of src', () => {
  expect(arrowsOf('src/README.md').sort()).toEqual([...importsOfStages()].sort())
})

function exportsName(path: string, name: string): boolean {
  const pattern = new RegExp(`^export (?:async )?(?:function|const|interface|class|type) ${name}\\b`, 'm')
  return existsSync(path) && pattern.test(readFileSync(path, 'utf8'))
}

/**
 * Folders of the source code that the map of imports omits: those that may import everything, and those that everything
 * may import.
 */
const omitted = ['app', 'cli', 'demo', 'base']

function importsOfStages(): Set<string> {
  const arrows = new Set<string>()
  for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    const [from = '', ...rest] = name.split('/')
    if (!name.endsWith('.ts') || rest.length === 0 || omitted.includes(from)) continue
    for (const [, target = ''] of readFileSync(join('src', name), 'utf8').matchAll(/ from '(\.[^']+)'/g)) {
      const [root, to = ''] = normalize(join(dirname(join('src', name)), target)).split('/')
      if (root === 'src' && to !== from && !omitted.includes(to)) arrows.add(`${from} -> ${to}`)
    }
  }
  return arrows
}
