import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { lstatSync, readlinkSync } from 'node:fs'
import { chmod, cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Stage } from './containerfile.ts'

/**
 * A folder that processes see as their root file system, as in a container: `/app` with the files of the image, this
 * machine’s system libraries and a `/tmp` in memory. Everything else is read-only, and the processes have no
 * privileges.
 */
export interface Container {
  /** Starts a command in `/app` with the given environment variables and no others. */
  start(command: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess
  /** Resolves with the standard output of the command. Rejects when the command fails. */
  run(command: readonly string[], environment: Readonly<Record<string, string>>): Promise<string>
}

/**
 * Folders of this machine that the isolated programs need: /usr with libraries, /etc with certificates, the devices,
 * and the processes in /proc.
 */
const mounts = ['usr', 'etc', 'dev', 'proc']

/** Folders that are links into /usr on a system with merged /usr, such as Debian since release 12. */
const links = ['bin', 'lib', 'lib64', 'sbin']

/**
 * A shell script that runs as root in its own mount namespace and root folder, then drops all privileges. Each process
 * has its own mounts, which are removed when the process ends. In the mode `run`, the root folder is read-only, and
 * /tmp has the limits of compose.yml. In the mode `build`, the command may write to the files of its build stage.
 */
const enter = `
  set -e
  root=$1 node=$2 uid=$3 gid=$4 mode=$5
  shift 5
  mount --bind "$root" "$root"
  mount -o bind,ro /usr "$root/usr"
  mount -o bind,ro /etc "$root/etc"
  mount --rbind /dev "$root/dev"
  mount --rbind /proc "$root/proc"
  mount -o bind,ro "$node" "$root/node/node"
  if [ "$mode" = run ]; then
    mount -t tmpfs -o size=64m,mode=1777,noexec,nosuid,nodev tmpfs "$root/tmp"
    mount -o remount,bind,ro "$root"
  fi
  exec chroot "$root" /usr/bin/setpriv --reuid="$uid" --regid="$gid" --clear-groups --no-new-privs --inh-caps=-all \\
    --bounding-set=-all /usr/bin/env --chdir=/app "$@"`

/** The container has the files of the last stage. */
export async function buildContainer(stages: readonly Stage[], folder: string): Promise<Container> {
  for (const stage of stages) await buildStage(stage, folder)
  const image = stages.at(-1)
  if (image?.user === undefined) throw new Error('The Containerfile must have a USER.')
  const argumentsOf = (command: readonly string[], environment: Readonly<Record<string, string>>) =>
    entering(image, folder, { mode: 'run', command, environment: { ...image.environment, ...environment } })
  return {
    start: (command, environment) =>
      spawn('unshare', argumentsOf(command, environment), { stdio: ['ignore', 'pipe', 'pipe'] }),
    run: async (command, environment) => {
      const { stdout } = await promisify(execFile)('unshare', argumentsOf(command, environment))
      return stdout
    },
  }
}

interface Entering {
  readonly mode: 'build' | 'run'
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/**
 * Returns the arguments of `unshare` that run a command in the root folder of a build stage, as the user of the stage.
 */
function entering(stage: Stage, folder: string, { mode, command, environment }: Entering): readonly string[] {
  const [uid = '', gid = ''] = stage.user?.split(':') ?? []
  const all = { PATH: '/node:/usr/bin:/bin', HOME: '/nonexistent', ...environment }
  const assignments = Object.entries(all).map(([name, value]) => `${name}=${value}`)
  const words = ['-i', ...assignments, ...command]
  return ['--mount', 'sh', '-c', enter, 'sh', rootOf(stage, folder), process.execPath, uid, gid, mode, ...words]
}

function rootOf({ name }: Pick<Stage, 'name'>, folder: string): string {
  return join(folder, name ?? 'image')
}

/**
 * Copies the files of a build stage and runs its commands. If the stage has no user, the commands run as root without
 * isolation. Otherwise the commands run as this user, isolated as in the image.
 */
async function buildStage(stage: Stage, folder: string): Promise<void> {
  const root = rootOf(stage, folder)
  const app = join(root, 'app')
  if (stage.base === undefined) await mkdir(app, { recursive: true })
  else await cp(join(folder, stage.base), root, { recursive: true, verbatimSymlinks: true })
  for (const { from, sources, target } of stage.copies) {
    for (const source of sources) {
      const found = from === undefined ? source : join(folder, from, source)
      const isFolder = lstatSync(found).isDirectory()
      // Copies files in the same way as the instruction COPY: the contents of a folder go into the target. If the
      // target ends with a slash, a file goes into the target under the same name.
      await cp(found, isFolder ? join(app, target) : join(app, target, source), { recursive: true })
    }
  }
  if (stage.user !== undefined) await prepareRoot(root)
  for (const command of stage.commands) {
    const words = ['sh', '-c', command]
    if (stage.user === undefined) await promisify(execFile)('sh', words.slice(1), { cwd: app })
    else {
      const { environment } = stage
      await promisify(execFile)('unshare', entering(stage, folder, { mode: 'build', command: words, environment }))
    }
  }
}

async function prepareRoot(root: string): Promise<void> {
  for (const name of [...mounts, 'tmp', 'node']) await mkdir(join(root, name))
  await writeFile(join(root, 'node', 'node'), '')
  for (const name of links) {
    if (lstatSync(`/${name}`, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      await symlink(readlinkSync(`/${name}`), join(root, name))
  }
  await chmod(root, 0o755)
  await chmod(join(root, 'tmp'), 0o1777)
}
