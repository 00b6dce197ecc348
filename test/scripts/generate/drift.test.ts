import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Runs the project's real tools in a copy of the repository, to check that they detect inconsistencies. */

const repository = fileURLToPath(new URL('../../..', import.meta.url))
let copy = ''

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'commerce-drift-'))
  await cp(repository, copy, { recursive: true, filter: (path) => path === repository || isSource(basename(path)) })
  await symlink(join(repository, 'node_modules'), join(copy, 'node_modules'))
})

/**
 * Folders that the copy of the repository omits: node_modules, and the dot folders of git, the benchmarks and a running
 * service.
 */
function isSource(name: string): boolean {
  return name !== 'node_modules' && !name.startsWith('.')
}

afterAll(() => rm(copy, { recursive: true, force: true }))

test('the drift check reports edited, missing and obsolete generated files and the command that regenerates them', async ({
  signal,
}) => {
  const [missing, leftOver] = [
    'generated/reference/errors/order_not_found.md',
    'generated/reference/errors/removed_code.md',
  ]
  await rm(join(copy, missing))
  await writeFile(join(copy, leftOver), '# removed_code\n')
  const checked = await withEdit(['openapi.json', '"summary": "List orders"', '"summary": "List all orders"'], () =>
    run(process.execPath, ['scripts/generate.ts', '--check'], { signal }),
  )
  expect(checked.exitCode).toBe(1)
  expect(checked.output).toContain('openapi.json:')
  expect(checked.output).toMatch(/-\s+"summary": "List all orders"/)
  expect(checked.output).toMatch(/\+\s+"summary": "List orders"/)
  expect(checked.output).toContain(`${missing}: is missing`)
  expect(checked.output).toContain(`${leftOver}: is no longer generated`)
  expect(checked.output).toContain('Run `npm run generate` and commit the result.')
})

/** Three programming errors in separate files, so that the compiler reports all of them in one run. */
const mistakes = [
  // First error: the implementations lack the handler of an operation.
  ['src/operations/implementations.ts', '  getRefund,\n', ''],
  // Second error: a handler returns an error code that its operation does not declare.
  ['src/operations/refunds.ts', "'refund_not_found'", "'customer_not_found'"],
  // Third error: the contract has a new response field that the handler does not return.
  ['registry/refunds/refund.ts', '    id: RefundId,\n', '    id: RefundId,\n    colour: z.string(),\n'],
] as const

/** Timeout of the compiler, which takes a few seconds on an idle machine. */
const compileMs = 600_000

test('a missing handler, an undeclared error and a missing field of a reply do not compile', {
  timeout: compileMs,
}, async ({ signal }) => {
  // Compiles only the handlers and the files that they import. The check of all types takes five times as long.
  await writeFile(
    join(copy, 'tsconfig.handlers.json'),
    JSON.stringify({ extends: './tsconfig.json', include: ['src/operations/implementations.ts'] }),
  )
  const compiler = ['node_modules/ts7/bin/tsc', '--noEmit', '-p', 'tsconfig.handlers.json']
  const compile = () => run(process.execPath, compiler, { signal })
  const [handler, refusal, field] = mistakes
  const edited = await withEdit(handler, () => withEdit(refusal, () => withEdit(field, compile)))
  expect(edited.exitCode).not.toBe(0)
  expect(edited.output).toMatch(/src\/operations\/implementations\.ts\(\d+,\d+\): error .*getRefund/)
  expect(edited.output).toMatch(/src\/operations\/refunds\.ts\(\d+,\d+\): error .*customer_not_found/)
  expect(edited.output).toMatch(/error .*colour/)
})

interface Run {
  readonly exitCode: number
  readonly output: string
}

/** Runs a program in the copy of the repository. The signal ends the program when the test times out. */
function run(command: string, options: readonly string[], { signal }: { signal: AbortSignal }): Promise<Run> {
  return new Promise((resolve) => {
    const settings = { cwd: copy, maxBuffer: 64 * 1024 * 1024, signal, killSignal: 'SIGKILL' } as const
    const child = execFile(command, options, settings, (_, output, errors) =>
      resolve({ exitCode: child.exitCode ?? -1, output: output + errors }),
    )
  })
}

async function withEdit(
  [path, found, replaced]: readonly [path: string, found: string, replaced: string],
  act: () => Promise<Run>,
): Promise<Run> {
  const file = join(copy, path)
  const before = await readFile(file, 'utf8')
  expect(before).toContain(found)
  await writeFile(file, before.replace(found, replaced))
  try {
    return await act()
  } finally {
    await writeFile(file, before)
  }
}
