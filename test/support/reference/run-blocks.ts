import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pasteEnvironment, pointedAt } from './paste.ts'
import { openShownOutput, type ShownOutput } from './shown-output.ts'

/**
 * Runs the code blocks of a Markdown page against the demo, in order, as a reader does who pastes one after the other.
 * All blocks of a page share one shell and one folder: exports, files and background processes of a block are available
 * to the next block.
 *
 * The folder represents the project’s own folder: COMMERCE_TOKEN is set, `http://127.0.0.1:3000` is the demo, `npm run`
 * and its command line work on the demo’s data, `node` is this Node, and this project’s packages and its client can be
 * imported. Port 4242, on which webhook receivers listen, is replaced with a free one.
 *
 * ```bash             runs in the shell; the first command that fails ends the page
 * ```ts, ```python    runs as a program
 * ```ts title="x.ts"  is written to x.ts, in any language; a later block must name the file
 * ```json             is a part of the previous block’s output; shown-output.ts describes which differences are allowed
 * ```text             is the whole output of the previous block, with the same allowed differences
 *
 * There is no other kind of block, and no block can be skipped. A block with shown output belongs to the block right
 * before it. A request without shown output must fail on an HTTP error by itself, or the error would go unnoticed.
 * Without Python, its blocks and their output are skipped.
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

/** Creates what the project's folder contains after `npm ci`, `npm start` and the installation of the client. */
async function openFolder(outer: string, { dataFolder, clientFolder }: BlocksPlace): Promise<string> {
  const folder = join(outer, 'commerce-service')
  const modules = join(folder, 'node_modules')
  await mkdir(modules, { recursive: true })
  // If the tests run as root, commands start PostgreSQL as another user, who must be able to enter the folder.
  await chmod(outer, 0o711)
  const project = fileURLToPath(new URL('../../..', import.meta.url))
  // The parent folder contains the packages, and the folder itself contains the client. Node.js searches both for
  // packages.
  await symlink(join(project, 'node_modules'), join(outer, 'node_modules'))
  for (const name of ['package.json', 'src', 'scripts', 'registry'])
    await symlink(join(project, name), join(folder, name))
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
  /** The data folder of the demo, for pages whose code blocks use the command line. */
  readonly dataFolder?: string
  /** The folder of the installed client, for pages whose code blocks import it. */
  readonly clientFolder?: string
}

export interface Block {
  readonly language: string
  readonly title: string | undefined
  readonly code: string
  readonly line: number
}

export function blocksOf(markdown: string): Block[] {
  // A code block may be indented, as in a list. Its fences and its code then have the same indentation.
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

/** The port on which `npm run commerce -- listen` and the receivers in the guides listen. */
const shownReceiverPort = '4242'

const extensions: Readonly<Record<string, string>> = { bash: 'sh', sh: 'sh', ts: 'ts', typescript: 'ts', python: 'py' }

/** The output of the preceding code block. If the next block shows an output, it must match this output. */
type Before =
  | { readonly is: 'nothing' }
  | { readonly is: 'printed'; readonly output: string }
  /** Python is not installed. */
  | { readonly is: 'left_out' }

async function runAll(blocks: readonly Block[], run: Run): Promise<string[]> {
  const shownOutput = openShownOutput()
  let before: Before = { is: 'nothing' }
  for (const [index, block] of blocks.entries()) {
    const later = blocks.slice(index + 1)
    const outcome: Outcome = isShown(block)
      ? compared({ ...block, code: pointedAt(block.code, run.url) }, before, shownOutput)
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

function compared({ language, code }: Block, before: Before, shownOutput: ShownOutput): Outcome {
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

/** If a code block has a title, writes it to a file of this name. Otherwise, runs the code block. */
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
  if (extension === 'sh' && !isAnswerShown && curlWithoutFail.test(code))
    return { is: 'fault', text: 'an HTTP error would go unnoticed: curl needs -f, or its output must be shown.' }
  if (extension === 'py' && !run.hasPython) return { is: 'left_out' }
  const file = `block-${index + 1}.${extension}`
  await writeFile(join(run.folder, file), code)
  const { status, output, errors } = await run.shell.run(commandFor(extension, file))
  if (status !== 0) return { is: 'fault', text: `it ends with ${status}. ${errors}${output}` }
  return { is: 'printed', output }
}

/**
 * Matches a curl command that exits with 0 on an HTTP error, because it has neither `-f` among its short options nor
 * `--fail-with-body`.
 */
const curlWithoutFail = /\bcurl (?!-[a-zA-Z]*f)(?!(?:-[a-zA-Z]+ )?--fail-with-body)/

function commandFor(extension: string, file: string): string {
  if (extension === 'sh') return `. ./${file}`
  return `${extension === 'ts' ? 'node' : 'python3'} ./${file}`
}

interface Shell {
  run(command: string): Promise<{ readonly status: number; readonly output: string; readonly errors: string }>
  end(): void
}

/**
 * Timeout of a code block. The test mode guide waits 20 s for a parcel on an idle machine. A block of three commands
 * takes 5 s on an idle machine, and has taken more than 30 s on a busy one.
 */
export const blockTimeoutMs = 300_000

/**
 * Starts one bash for all code blocks of a page. The output of each block goes to a file, so that the shell itself
 * prints only exit statuses.
 */
function openShell(folder: string, { token }: BlocksPlace): Shell {
  // The shell has its own process group, so that its background processes can be ended with it.
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
        // The whole group has ended already.
      }
    },
  }
}

/**
 * Resolves with the exit status of a code block. A block that fails (because of `set -e`) or calls `exit` ends the
 * shell with its own exit status.
 */
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
    const timer = setTimeout(() => settle(-1), blockTimeoutMs)
    child.stdout.on('data', read)
    child.on('exit', exit)
  })
}
