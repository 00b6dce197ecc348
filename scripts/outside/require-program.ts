import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

/** Folders in which programs are searched. Debian installs daemons into sbin, which is not in every user's PATH. */
const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin']

/** If the program is not installed, names its Debian package and ends this process with 2. */
export function requireProgram(name: string, debianPackage: string, more: readonly string[] = []): string {
  for (const folder of [...more, ...folders]) {
    const path = join(folder, name)
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {
      // The program is not in this folder.
    }
  }
  console.error(`${name} is not installed. Install the Debian package ${debianPackage}.`)
  process.exit(2)
}
