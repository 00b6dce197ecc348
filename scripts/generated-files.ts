import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { openApiDocument } from '../registry/openapi/openapi.ts'
import { operationsTable } from '../registry/openapi/operations.ts'
import { migrate } from '../src/store/server/migrate.ts'
import { clientPackage } from './clients/package-file.ts'
import { pythonAndPhpClients } from './clients/python-and-php.ts'
import { typescriptClient } from './clients/typescript.ts'
import type { GeneratedFile } from './generated-file.ts'
import { postmanCollection } from './reference/postman-collection.ts'
import { referenceFiles } from './reference/reference-files.ts'
import { databaseTypes } from './schema/database-types.ts'
import { schemaDump } from './schema/schema-dump.ts'
import { openTemporaryPostgres } from './temporary-postgres.ts'
import { webhookTypes } from './webhook-types.ts'

/** Returns every file that is derived from the registry, the settings and the migrated schema. */
export async function generatedFiles(): Promise<GeneratedFile[]> {
  return [...(await contractFiles()), ...(await schemaFiles())]
}

export async function contractFiles(): Promise<GeneratedFile[]> {
  const text = JSON.stringify(openApiDocument(), null, 2)
  // The OpenAPI document is converted through JSON, because the two libraries declare different types for it.
  const document: OpenAPI3 = JSON.parse(text)
  return [
    { path: 'openapi.json', text: `${text}\n` },
    { path: 'generated/webhook-events.d.ts', text: await webhookTypes(document) },
    { path: 'generated/api.d.ts', text: await clientTypes(document) },
    { path: 'src/client/package.json', text: await clientPackage() },
    { path: 'generated/operations.txt', text: operationsTable() },
    ...(await referenceFiles()),
    ...(await typescriptClient()),
    ...(await pythonAndPhpClients(text)),
    { path: 'generated/clients/commerce-service.postman_collection.json', text: postmanCollection() },
  ]
}

async function clientTypes(document: OpenAPI3): Promise<string> {
  // In request types, a field with a default is optional. Response schemas declare explicitly which of their fields are
  // required.
  const nodes = await openapiTypescript(document, {
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
  })
  return `// DO NOT EDIT. Written by \`npm run generate\` from openapi.json.\n\n${astToString(nodes)}`
}

async function schemaFiles(): Promise<GeneratedFile[]> {
  const postgres = await openTemporaryPostgres({ name: 'generate', durability: 'throwaway' })
  try {
    await migrate(postgres.ownerConnectionString)
    return [
      { path: 'generated/database.ts', text: await databaseTypes(postgres.ownerConnectionString) },
      { path: 'generated/schema.sql', text: await schemaDump(postgres.ownerConnectionString) },
    ]
  } finally {
    await postgres.stop()
  }
}

/** Folders that contain only generated files. Any other file in them is obsolete. */
const generatedFolders = ['generated/reference', 'generated/clients']

export async function superfluousFiles(generated: readonly GeneratedFile[], root: URL): Promise<string[]> {
  const wanted = new Set(generated.map(({ path }) => path))
  const found = await Promise.all(generatedFolders.map((folder) => filesIn(folder, root)))
  return found
    .flat()
    .filter((path) => !wanted.has(path))
    .sort()
}

async function filesIn(folder: string, root: URL): Promise<string[]> {
  const entries = await readdir(new URL(folder, root), { recursive: true, withFileTypes: true }).catch(() => [])
  const start = fileURLToPath(root)
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(start, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
}
