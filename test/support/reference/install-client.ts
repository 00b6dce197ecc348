import { mkdir, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { unpackTar } from 'modern-tar/fs'
import { clientResources } from '../../../src/reference/clients.ts'

/**
 * Installs the TypeScript client that the service serves into a folder of packages, with its dependencies, as
 * `npm install <URL>` does.
 */
export async function installClient(modules: string): Promise<void> {
  const served = new Map(clientResources()).get('/docs/clients/commerce-service-client.tgz')
  if (served === undefined) throw new Error('The service serves no client package.')
  const folder = join(modules, 'commerce-service-client')
  await mkdir(folder, { recursive: true })
  const bytes = Buffer.from(await served.body(''))
  await pipeline(Readable.from([bytes]), createGunzip(), unpackTar(folder, { strip: 1 }))
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
    await symlink(resolve('node_modules', name), join(modules, name))
  }
}
