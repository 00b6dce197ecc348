import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { lstatSync, readlinkSync } from 'node:fs'
import { chmod, cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Stage } from './containerfile.ts'

/**
 * A folder that processes see as their root file system, as in a container: `/app` with the files of the image, this machine’s
 * system libraries and a `/tmp` in memory. Everything else is read-only, and the processes have no privileges.
 */
export interface Container {
  /** Starts a command in `/app` with this environment and no other variables. */
  start(command: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess
  /** Runs a command to its end and returns its output. Rejects when the command fails. */
  run(command: readonly string[], environment: Readonly<Record<string, string>>): Promise<string>
}

/** Folders of this machine that programs need: libraries and certificates, devices, and the processes themselves. */
const mounts = ['usr', 'etc', 'dev', 'proc']

/** With merged /usr, as in Debian since release 12, these are links into it. */
const links = ['bin', 'lib', 'lib64', 'sbin']

/**
 * Runs as root in mount and chroot namespaces of its own, then drops all privileges. Each process has its own mounts, which end
 * with it. The limits of /tmp are those of compose.yml.
 */
const enter = `
  set -e
  root=$1 node=$2 uid=$3 gid=$4
  shift 4
  mount --bind "$root" "$root"
  mount -o bind,ro /usr "$root/usr"
  mount -o bind,ro /etc "$root/etc"
  mount --rbind /dev "$root/dev"
  mount --rbind /proc "$root/proc"
  mount -o bind,ro "$node" "$root/node/node"
  mount -t tmpfs -o size=64m,mode=1777,noexec,nosuid,nodev tmpfs "$root/tmp"
  mount -o remount,bind,ro "$root"
  exec chroot "$root" /usr/bin/setpriv --reuid="$uid" --regid="$gid" --clear-groups --no-new-privs --inh-caps=-all \\
    --bounding-set=-all /usr/bin/env --chdir=/app "$@"`

/** Builds the stages in a folder, and returns the container of the last one. */
export async function buildContainer(stages: readonly Stage[], folder: string): Promise<Container> {
  for (const stage of stages) await buildStage(stage, folder)
  const image = stages.at(-1)
  if (image?.user === undefined) throw new Error('The Containerfile must have a USER.')
  const root = rootOf(image, folder)
  await prepareRoot(root)
  const [uid = '', gid = ''] = image.user.split(':')
  const argumentsOf = (command: readonly string[], environment: Readonly<Record<string, string>>) => {
    const all = { PATH: '/node:/usr/bin:/bin', HOME: '/nonexistent', ...image.environment, ...environment }
    const assignments = Object.entries(all).map(([name, value]) => `${name}=${value}`)
    const words = ['-i', ...assignments, ...command]
    return ['--mount', 'sh', '-c', enter, 'sh', root, process.execPath, uid, gid, ...words]
  }
  return {
    start: (command, environment) =>
      spawn('unshare', argumentsOf(command, environment), { stdio: ['ignore', 'pipe', 'pipe'] }),
    run: async (command, environment) => {
      const { stdout } = await promisify(execFile)('unshare', argumentsOf(command, environment))
      return stdout
    },
  }
}

function rootOf({ name }: Pick<Stage, 'name'>, folder: string): string {
  return join(folder, name ?? 'image')
}

/** Copies the files of a stage and runs its commands, on this machine. */
async function buildStage(stage: Stage, folder: string): Promise<void> {
  const app = join(rootOf(stage, folder), 'app')
  await mkdir(app, { recursive: true })
  for (const { from, sources, target } of stage.copies) {
    for (const source of sources) {
      const found = from === undefined ? source : join(folder, from, source)
      const isFolder = lstatSync(found).isDirectory()
      // COPY puts the contents of a folder into the target, and a file under its own name into a target that ends with a slash.
      await cp(found, isFolder ? join(app, target) : join(app, target, source), { recursive: true })
    }
  }
  for (const command of stage.commands) await promisify(execFile)('sh', ['-c', command], { cwd: app })
}

async function prepareRoot(root: string): Promise<void> {
  for (const name of [...mounts, 'tmp', 'node']) await mkdir(join(root, name))
  await writeFile(join(root, 'node', 'node'), '')
  for (const name of links) {
    if (lstatSync(`/${name}`, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      await symlink(readlinkSync(`/${name}`), join(root, name))
  }
  await chmod(root, 0o755)
}
