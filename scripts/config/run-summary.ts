import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

/**
 * Minimum number of test files for which the table of times is printed. During development, people run fewer files and
 * do not need the table.
 */
const filesMin = 10

const slowestCount = 20

/** Maximum number of lines of each error in the list of failed tests, so that several errors fit on a page. */
const errorLinesMax = 12

interface Row {
  readonly name: string
  readonly files: number
  readonly processorMs: number
  readonly wallMs: number
}

/**
 * Prints a summary after the run: first the times of the folders of tests and of the slowest files, and last the failed
 * tests with their errors, because some CI systems show only the last lines of a run. This is a class, because Vitest
 * calls its methods.
 */
export class RunSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < filesMin) return
    printTimes(modules)
    for (const module of modules.filter((each) => !each.ok())) printFailures(module)
  }
}

function printFailures(module: TestModule): void {
  const name = relative('test', module.moduleId)
  const errors = module.errors().map(({ message }) => `Failed: ${name}: ${message}`)
  const tests = [...module.children.allTests('failed')].map(
    (each) => `Failed: ${name} > ${each.fullName}${errorOf(each)}`,
  )
  console.log([...errors, ...tests].join('\n'))
}

/** Returns the first error of a failed test and the first line of its stack trace, indented below the test’s title. */
function errorOf(failed: TestCase): string {
  const [error] = failed.result().errors ?? []
  if (error === undefined) return ''
  const { message, diff = '', stacks = [] } = error
  const places = stacks.slice(0, 1).map(({ file, line }) => `at ${relative('test', file)}:${line}`)
  const lines = [message, diff].flatMap((text) => stripVTControlCharacters(text).split('\n'))
  const shown = lines.filter((line) => line.trim() !== '').slice(0, errorLinesMax)
  return [...shown, ...places].map((line) => `\n  ${line}`).join('')
}

function printTimes(modules: readonly TestModule[]): void {
  const files = modules.map(rowOf)
  const folders = Object.entries(Object.groupBy(files, ({ name }) => folderOf(name)))
  const byFolder = folders.map(([name, rows = []]) => sumOf(name, rows))
  print('Folder', byFolder)
  print('Slowest files', files, slowestCount)
}

function rowOf(module: TestModule): Row {
  const { duration, collectDuration, setupDuration } = module.diagnostic()
  const name = relative('test', module.moduleId)
  return {
    name,
    files: 1,
    processorMs: module.meta().processorMs ?? 0,
    wallMs: duration + collectDuration + setupDuration,
  }
}

/** Returns the folder of a test file. It has two levels if the first level alone does not show what is tested. */
function folderOf(path: string): string {
  const [first = '', second = ''] = path.split('/')
  return first === 'long' || first === 'scripts' ? `${first}/${second}` : first
}

function sumOf(name: string, rows: readonly Row[]): Row {
  const sum = (pick: (row: Row) => number) => rows.reduce((total, row) => total + pick(row), 0)
  return {
    name,
    files: sum((row) => row.files),
    processorMs: sum((row) => row.processorMs),
    wallMs: sum((row) => row.wallMs),
  }
}

function print(title: string, rows: readonly Row[], count = rows.length): void {
  const sorted = rows.toSorted((a, b) => b.processorMs - a.processorMs).slice(0, count)
  const lines = [...sorted, sumOf('', sorted)].map(({ name, files, processorMs, wallMs }) =>
    lineOf(name, String(files), secondsOf(processorMs), secondsOf(wallMs)),
  )
  console.log(['', lineOf(title, 'files', 'processor', 'wall'), ...lines].join('\n'))
}

const secondsOf = (ms: number) => `${(ms / 1000).toFixed(1)} s`

function lineOf(name: string, ...columns: readonly string[]): string {
  return name.padEnd(70) + columns.map((column) => column.padStart(11)).join('')
}
