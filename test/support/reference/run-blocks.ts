import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pasteEnvironment, pointedAt } from './paste.ts'
import { openShownOutput, type ShownOutput } from './shown-output.ts'

/**
 * Runs the code blocks of a Markdown page against the demo, in their order, as a reader does who pastes one after the
 * other. All blocks of a page share one shell and one folder: what a block exports, writes or starts in the background is
 * there for the next. The folder stands for the project’s own: COMMERCE_TOKEN is set, `http://127.0.0.1:3000` is the demo,
 * `npm run` and its command line work on the demo’s data, `node` is this Node, and this project’s packages and its client can
 * be imported. Port 4242, where receivers of webhooks listen, is a free one.
 *
 *   ```bash             runs in the shell; the first command that fails ends the page
 *   ```ts, ```python    runs as a program
 *   ```ts title="x.ts"  is written to x.ts, in any language; a later block must name it, or it would prove nothing
 *   ```json             is a part of what the block before printed; shown-output.ts says what may differ
 *   ```text             is all that the block before printed, by the same rules
 *
 * There is no other kind, and no mark that keeps a block from being run. What is shown belongs to the block right before
 * it, and a request whose answer is not shown must fail by itself: else nothing would notice that it is refused. Without
 * Python its blocks are left out, with what they print.
 */
export async function faultsOfBlocks(markdown: string, place: BlocksPlace): Promise<string[]> {
  const outer = await mkdtemp(join(tmpdir(), 'commerce-blocks-'))
  const folder = await openFolder(outer, place)
  const shell = openShell(folder, place)
  try {
    const receiverPort = await freePort()
    return await runAll(blocksOf(markdown), { ...place, folder, shell, receiverPort })
  } finally {
    shell.end()
    await rm(outer, { recursive: true, force: true })
  }
}

/** What a reader’s folder of the project holds after `npm ci`, `npm start` and `npm run client`. */
async function openFolder(outer: string, { dataFolder, clientFolder }: BlocksPlace): Promise<string> {
  const folder = join(outer, 'commerce-service')
  const modules = join(folder, 'node_modules')
  await mkdir(modules, { recursive: true })
  // Where the command line is run as root, PostgreSQL’s account passes through.
  await chmod(outer, 0o711)
  const project = fileURLToPath(new URL('../../..', import.meta.url))
  // Around the folder, so that there is room in its own for the client; packages are looked for in both.
  await symlink(join(project, 'node_modules'), join(outer, 'node_modules'))
  for (const name of ['package.json', 'src']) await symlink(join(project, name), join(folder, name))
  if (dataFolder !== undefined) await symlink(dataFolder, join(folder, '.data'))
  if (clientFolder !== undefined) await symlink(clientFolder, join(modules, 'commerce-service-client'))
  return folder
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

export interface BlocksPlace {
  readonly url: string
  readonly token: string
  readonly hasPython: boolean
  /** The demo’s data, for pages that use the command line. */
  readonly dataFolder?: string
  /** The client as it is built, for pages that import it. */
  readonly clientFolder?: string
  /** What a block may take, where a guide asks for more patience than most. */
  readonly patienceMs?: number
}

export interface Block {
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
    title: /\btitle="([^"]+)"/.exec(words)?.[1],
    code: code.replace(new RegExp(`^${indent}`, 'gm'), ''),
    line: markdown.slice(0, index).split('\n').length,
  }))
}

interface Run extends BlocksPlace {
  readonly folder: string
  readonly shell: Shell
  readonly receiverPort: number
}

/** The port of `npm run commerce -- listen`, and of the receivers that the guides show. */
const shownReceiverPort = '4242'

const extensions: Readonly<Record<string, string>> = { bash: 'sh', sh: 'sh', ts: 'ts', typescript: 'ts', python: 'py' }

/** What there is to compare a shown block with. */
type Before =
  | { readonly is: 'nothing' }
  | { readonly is: 'printed'; readonly output: string }
  /** There is no Python here. */
  | { readonly is: 'left_out' }

async function runAll(blocks: readonly Block[], run: Run): Promise<string[]> {
  const shownOutput = openShownOutput()
  let before: Before = { is: 'nothing' }
  for (const [index, block] of blocks.entries()) {
    const later = blocks.slice(index + 1)
    const outcome: Outcome = isShown(block)
      ? judged({ ...block, code: pointedAt(block.code, run.url) }, before, shownOutput)
      : await done(block, { run, later, index })
    if (outcome.is === 'fault') return [`Line ${block.line}, ${block.language || 'no language'}: ${outcome.text}`]
    before = outcome
  }
  return []
}

type Outcome = Before | { readonly is: 'fault'; readonly text: string }

function isShown({ language, title }: Block): boolean {
  return title === undefined && (language === 'json' || language === 'text')
}

function judged({ language, code }: Block, before: Before, shownOutput: ShownOutput): Outcome {
  if (before.is === 'left_out') return before
  if (before.is === 'nothing') return { is: 'fault', text: 'there is nothing before it that prints.' }
  const { output } = before
  if (output.trim() === '') return { is: 'fault', text: 'the block before it prints nothing.' }
  const faults = language === 'json' ? shownOutput.faultsOfJson(code, output) : shownOutput.faultsOfText(code, output)
  return faults.length === 0 ? before : { is: 'fault', text: `${faults.join(' ')} It is ${output}` }
}

interface Place {
  readonly run: Run
  readonly later: readonly Block[]
  readonly index: number
}

/** Writes a block to its file, or runs it. */
async function done(block: Block, { run, later, index }: Place): Promise<Outcome> {
  const { language, title } = block
  const code = pointedAt(block.code, run.url).replaceAll(shownReceiverPort, String(run.receiverPort))
  if (title !== undefined) {
    await writeFile(join(run.folder, title), code)
    if (!later.some((each) => each.code.includes(title))) return { is: 'fault', text: `nothing uses ${title}.` }
    return { is: 'nothing' }
  }
  const extension = extensions[language]
  if (extension === undefined) return { is: 'fault', text: 'neither runs nor is what a block printed.' }
  const [next] = later
  const isAnswerShown = next !== undefined && isShown(next)
  if (extension === 'sh' && !isAnswerShown && carefreeCurl.test(code))
    return { is: 'fault', text: 'a refusal would not be noticed: curl needs -f, or the answer is to be shown.' }
  if (extension === 'py' && !run.hasPython) return { is: 'left_out' }
  const file = `block-${index + 1}.${extension}`
  await writeFile(join(run.folder, file), code)
  const { status, output, errors } = await run.shell.run(commandFor(extension, file))
  if (status !== 0) return { is: 'fault', text: `it ends with ${status}. ${errors}${output}` }
  return { is: 'printed', output }
}

/** A curl that exits with 0 where the service refuses: one without `-f` among its short options and without `--fail-with-body`. */
const carefreeCurl = /\bcurl (?!-[a-zA-Z]*f)(?!(?:-[a-zA-Z]+ )?--fail-with-body)/

function commandFor(extension: string, file: string): string {
  if (extension === 'sh') return `. ./${file}`
  return `${extension === 'ts' ? 'node' : 'python3'} ./${file}`
}

interface Shell {
  run(command: string): Promise<{ readonly status: number; readonly output: string; readonly errors: string }>
  end(): void
}

/** What a block may take when nothing else is said. A guide that waits for longer is read by few. */
const usualPatienceMs = 30_000

/** One bash for a page. Each block’s output goes to a file, so that the shell’s own tells only how it ended. */
function openShell(folder: string, { token, patienceMs = usualPatienceMs }: BlocksPlace): Shell {
  // A group of its own, so that what was started in the background ends with it.
  const child = spawn('bash', [], { cwd: folder, env: pasteEnvironment(token), detached: true })
  let count = 0
  return {
    run: async (command) => {
      const name = `run-${++count}`
      const ended = statusOf(child, patienceMs)
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
function statusOf(child: ChildProcessWithoutNullStreams, patienceMs: number): Promise<number> {
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
