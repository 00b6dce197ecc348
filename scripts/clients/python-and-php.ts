import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GeneratedFile } from '../generated-file.ts'
import { runRedocly } from '../lint/redocly.ts'
import { documentForClients } from './document.ts'

/**
 * The clients for Python and PHP, one file each, which the Redocly CLI generates from the OpenAPI document.
 */

const folder = 'generated/clients'

/**
 * Comment that excludes the Python client itself from the type check of its users. The runtime of the generator
 * contains two calls that mypy rejects; the types of the client are checked in the programs that use them.
 */
const mypyComment = '# mypy: ignore-errors\n'

const notice = 'DO NOT EDIT. Written by `npm run generate`.'

export async function pythonAndPhpClients(document: string): Promise<GeneratedFile[]> {
  const work = await mkdtemp(join(tmpdir(), 'commerce-clients-'))
  try {
    const input = join(work, 'openapi.json')
    await writeFile(input, documentForClients(document))
    const generators = ['--generator', 'python', '--generator', 'php']
    await runRedocly(['generate-client', input, '--output', join(work, 'client.ts'), ...generators])
    const python = await readFile(join(work, 'client.py'), 'utf8')
    const php = await readFile(join(work, 'client.php'), 'utf8')
    return [
      { path: `${folder}/commerce_service_client.py`, text: `# ${notice}\n${mypyComment}${python}` },
      { path: `${folder}/CommerceServiceClient.php`, text: php.replace('<?php\n', `<?php\n// ${notice}\n`) },
    ]
  } finally {
    await rm(work, { recursive: true })
  }
}
