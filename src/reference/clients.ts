import { readdir, readFile } from 'node:fs/promises'
import { sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { packTar } from 'modern-tar'
import { root } from './pages.ts'
import { type Resource, writtenOrigin } from './resource.ts'

/** Serves the client libraries and the Postman collection, which `npm run generate` derives from the registry. */

const project = new URL('../../', import.meta.url)
const folder = new URL('generated/clients/', project)

/**
 * The generated files that the reference site serves unchanged, with their media types. The PHP file is served as plain
 * text, so that no proxy runs it.
 */
const files = {
  'commerce_service_client.py': 'text/x-python; charset=utf-8',
  'CommerceServiceClient.php': 'text/plain; charset=utf-8',
  'commerce-service.postman_collection.json': 'application/json',
}

/** The files of the TypeScript package that are not compiled, by their paths in the package. */
const packageFiles = {
  'package.json': 'src/client/package.json',
  'README.md': 'src/client/README.md',
  LICENSE: 'LICENSE',
  'generated/api.d.ts': 'generated/api.d.ts',
  'generated/webhook-events.d.ts': 'generated/webhook-events.d.ts',
}

/** Returns the resources below /docs/clients/ by URL. */
export function clientResources(): [string, Resource][] {
  const single = Object.entries(files).map(([name, type]): [string, Resource] => [
    `${root}/clients/${name}`,
    {
      type,
      body: async (origin) => (await readFile(new URL(name, folder), 'utf8')).replaceAll(writtenOrigin, origin),
      isOriginBound: true,
    },
  ])
  return [...single, [`${root}/clients/commerce-service-client.tgz`, { type: 'application/gzip', body: npmPackage }]]
}

/** Returns the TypeScript client as a package that npm installs from its URL. Equal contents give equal bytes. */
async function npmPackage(): Promise<Uint8Array> {
  const names = await readdir(new URL('typescript/', folder), { recursive: true })
  const compiled = names.filter((name) => /\.(js|d\.ts)$/.test(name)).map((name) => name.replaceAll(sep, '/'))
  const paths = new Map([
    ...Object.entries(packageFiles).map(([name, path]) => [name, new URL(path, project)] as const),
    ...compiled.map((path) => [path, new URL(`typescript/${path}`, folder)] as const),
  ])
  const entries = await Promise.all(
    [...paths]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(async ([name, url]) => {
        const body = await readFile(url)
        return { header: { name: `package/${name}`, size: body.length, mtime: writtenAt }, body }
      }),
  )
  return promisify(gzip)(await packTar(entries))
}

/**
 * Modification time of all files in the package. npm also gives its files this time, because some tools reject files
 * dated before 1980.
 */
const writtenAt = new Date('1985-10-26T08:15:00.000Z')
