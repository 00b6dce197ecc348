import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pasteEnvironment, pointedAt } from './paste.ts'

/**
 * Runs the code blocks of a Markdown page against the demo, in their order, as a reader does who pastes one after the
 * other. All blocks of a page share one shell and one folder: what a block exports, writes or starts in the background is
 * there for the next. COMMERCE_TOKEN is set, `http://127.0.0.1:3000` is the demo, `node` is this Node, and packages of
 * this project can be imported.
 *
 *   ```bash             runs in the shell; the first command that fails ends the page
 *   ```ts, ```python    runs as a program
 *   ```ts title="x.ts"  is written to x.ts, in any language; a later block must name it, or it would prove nothing
 *   ```json             is what the block before printed: each of its fields must be there, of the same type;
 *                       values may differ, and there may be more fields
 *   ```text             is what the block before printed, and is not compared; but something must have been printed
 *
 * There is no other kind, and no mark that keeps a block from being run. Without Python its blocks are left out, with
 * what they print.
 */
export async function faultsOfBlocks(markdown: string, place: BlocksPlace): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-blocks-'))
  const shell = openShell(folder, place.token)
  try {
    await symlink(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'))
    return await runAll(blocksOf(markdown), { ...place, folder, shell })
  } finally {
    shell.end()
    await rm(folder, { recursive: true, force: true })
  }
}

export interface BlocksPlace {
  readonly url: string
  readonly token: string
  readonly hasPython: boolean
}

interface Block {
  readonly language: string
  readonly title: string | undefined
  readonly code: string
  readonly line: number
}

export function blocksOf(markdown: string): Block[] {
  // A fence may be indented, as in a list; so is its code then.
  const fences = markdown.matchAll(/^( *)```(\w*)([^\n`]*)\n([\s\S]*?)^\1```[ \t]*$/gm)
  return [...fences].map(({ index, 1: indent = '', 2: language = '', 3: words = '', 4: code = '' }) => ({
    language,
    title: /\btitle="([\w.-]+)"/.exec(words)?.[1],
    code: code.replace(new RegExp(`^${indent}`, 'gm'), ''),
    line: markdown.slice(0, index).split('\n').length,
  }))
}

interface Run extends BlocksPlace {
  readonly folder: string
  readonly shell: Shell
}

const extensions: Readonly<Record<string, string>> = { bash: 'sh', sh: 'sh', ts: 'ts', typescript: 'ts', python: 'py' }

async function runAll(blocks: readonly Block[], run: Run): Promise<string[]> {
  /** What the last block printed; undefined where nothing was run. */
  let printed: string | undefined
  for (const [index, block] of blocks.entries()) {
    const fault = (text: string) => [`Line ${block.line}, ${block.language || 'no language'}: ${text}`]
    const { language, title } = block
    const code = pointedAt(block.code, run.url)
    if (title !== undefined) {
      await writeFile(join(run.folder, title), code)
      if (!blocks.slice(index + 1).some((later) => later.code.includes(title))) return fault(`nothing uses ${title}.`)
      continue
    }
    if (language === 'json' || language === 'text') {
      if (printed === undefined) continue
      if (printed.trim() === '') return fault('the block before it prints nothing.')
      const missing = language === 'json' ? differences(JSON.parse(code), JSON.parse(printed), '') : []
      if (missing.length > 0) return fault(`${missing.join(' ')} It is ${printed}`)
      continue
    }
    const extension = extensions[language]
    if (extension === undefined) return fault('neither runs nor is what a block printed.')
    if (extension === 'py' && !run.hasPython) {
      printed = undefined
      continue
    }
    const file = `block-${index + 1}.${extension}`
    await writeFile(join(run.folder, file), code)
    const { status, output, errors } = await run.shell.run(commandFor(extension, file))
    if (status !== 0) return fault(`it ends with ${status}. ${errors}${output}`)
    printed = output
  }
  return []
}

function commandFor(extension: string, file: string): string {
  if (extension === 'sh') return `. ./${file}`
  return `${extension === 'ts' ? 'node' : 'python3'} ./${file}`
}

/** Where what is shown is not in what was printed. Of a list, its first member stands for all. */
function differences(shown: unknown, printed: unknown, path: string): string[] {
  if (Array.isArray(shown)) {
    if (!Array.isArray(printed)) return [`${path} is no list.`]
    return shown.length === 0 ? [] : differences(shown[0], printed[0], `${path}[0]`)
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof printed !== 'object' || printed === null) return [`${path} is no object.`]
    return Object.entries(shown).flatMap(([name, value]) =>
      Object.hasOwn(printed, name)
        ? differences(value, Reflect.get(printed, name), `${path}.${name}`)
        : [`${path}.${name} is not there.`],
    )
  }
  // Null on one side may be a value on the other: a time that has not come.
  const isSame = shown === null || printed === null || typeof shown === typeof printed
  return isSame ? [] : [`${path} is a ${typeof printed}.`]
}

interface Shell {
  run(command: string): Promise<{ readonly status: number; readonly output: string; readonly errors: string }>
  end(): void
}

/** What a block may take. A guide that waits for longer is read by nobody. */
const patienceMs = 30_000

/** One bash for a page. Each block’s output goes to a file, so that the shell’s own tells only how it ended. */
function openShell(folder: string, token: string): Shell {
  // A group of its own, so that what was started in the background ends with it.
  const child = spawn('bash', [], { cwd: folder, env: pasteEnvironment(token), detached: true })
  let count = 0
  return {
    run: async (command) => {
      const name = `run-${++count}`
      const ended = statusOf(child)
      child.stdin.write(`set -e\n${command} >${name}.out 2>${name}.err\nset +e\necho "ended 0"\n`)
      const status = await ended
      const read = (ending: string) => readFile(join(folder, `${name}.${ending}`), 'utf8').catch(() => '')
      return { status, output: await read('out'), errors: await read('err') }
    },
    end: () => {
      if (child.pid === undefined) return
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // All of it has ended by itself.
      }
    },
  }
}

/** A block that fails ends the shell, by `set -e`, and so does one that calls `exit`. */
function statusOf(child: ChildProcessWithoutNullStreams): Promise<number> {
  return new Promise((resolve) => {
    const settle = (status: number) => {
      clearTimeout(timer)
      child.stdout.off('data', read)
      child.off('exit', exit)
      resolve(status)
    }
    const read = (chunk: unknown) => {
      if (String(chunk).includes('ended 0')) settle(0)
    }
    const exit = (code: number | null) => settle(code === null || code === 0 ? -1 : code)
    const timer = setTimeout(() => settle(-1), patienceMs)
    child.stdout.on('data', read)
    child.on('exit', exit)
  })
}
