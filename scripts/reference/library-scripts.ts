import { readFile } from 'node:fs/promises'
import scalar from '@scalar/fastify-api-reference'
import { fastify } from 'fastify'

const reference = '/reference'

/**
 * Returns the script of the API explorer (Scalar) with its licence. Its npm package offers the script only through a
 * plugin for another web framework. Writing the script to a file excludes both packages from production.
 */
export async function explorerScript(): Promise<string> {
  const app = fastify()
  try {
    await app.register(scalar, { routePrefix: reference, configuration: { content: {} } })
    const response = await app.inject(`${reference}/js/scalar.js`)
    if (response.statusCode !== 200) throw new Error(`The plugin has no script: it responds ${response.statusCode}.`)
    return scriptOf('@scalar/fastify-api-reference', 'LICENSE', response.body)
  } finally {
    await app.close()
  }
}

/** Returns the script of the search (MiniSearch) with its licence. The service and the browser run the same file. */
export async function searchScript(): Promise<string> {
  const script = await readFile(new URL(import.meta.resolve('minisearch')), 'utf8')
  return scriptOf('minisearch', 'LICENSE.txt', script)
}

async function scriptOf(name: string, licenceFile: string, script: string): Promise<string> {
  const folder = new URL(`../../node_modules/${name}/`, import.meta.url)
  const { version } = JSON.parse(await readFile(new URL('package.json', folder), 'utf8'))
  const licence = await readFile(new URL(licenceFile, folder), 'utf8')
  const head = `// DO NOT EDIT. Written by \`npm run generate\` from ${name} ${version}.\n/*!\n${licence.trim()}\n*/`
  return `${head}\n${withoutSourceMap(script)}`
}

/** Removes the reference to the source map. A browser's developer tools would request it, but it is not served. */
function withoutSourceMap(script: string): string {
  return script
    .replace(/\/\/# sourceMappingURL=.*/, '')
    .trimEnd()
    .concat('\n')
}
