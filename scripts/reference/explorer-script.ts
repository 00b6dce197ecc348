import { readFile } from 'node:fs/promises'
import scalar from '@scalar/fastify-api-reference'
import { fastify } from 'fastify'

const reference = '/reference'

/**
 * Returns the script of the API explorer (Scalar) with its licence. Its npm package offers the script only through a
 * plugin for another web framework. Writing the script to a file keeps both packages out of production.
 */
export async function explorerScript(): Promise<string> {
  const app = fastify()
  try {
    await app.register(scalar, { routePrefix: reference, configuration: { content: {} } })
    const response = await app.inject(`${reference}/js/scalar.js`)
    if (response.statusCode !== 200) throw new Error(`The plugin has no script: it responds ${response.statusCode}.`)
    return `${await heading()}\n${withoutSourceMap(response.body)}`
  } finally {
    await app.close()
  }
}

async function heading(): Promise<string> {
  const folder = new URL('../', import.meta.resolve('@scalar/fastify-api-reference'))
  const { name, version } = JSON.parse(await readFile(new URL('package.json', folder), 'utf8'))
  const license = await readFile(new URL('LICENSE', folder), 'utf8')
  return `// DO NOT EDIT. Written by \`npm run generate\` from ${name} ${version}.\n/*!\n${license.trim()}\n*/`
}

/** Removes the reference to the source map. A browser's developer tools would request it, but it is not served. */
function withoutSourceMap(script: string): string {
  return script
    .replace(/\/\/# sourceMappingURL=.*/, '')
    .trimEnd()
    .concat('\n')
}
