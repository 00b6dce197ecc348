import { errorCodes, errors } from '../../registry/errors/index.ts'
import { eventKinds } from '../../registry/kit/event.ts'
import { changelogPage } from './changelog-page.ts'
import { operations, tags } from './contract.ts'
import { drawingOf } from './drawing.ts'
import { errorIndex, errorPage } from './error-page.ts'
import { eventPage } from './event-page.ts'
import { guidePages, specificationPage } from './guides.ts'
import { articlesOf } from './html/articles.ts'
import { indexPage } from './index-page.ts'
import { explorerScript, searchScript } from './library-scripts.ts'
import { lifecyclePage } from './lifecycle-page.ts'
import { lifecycles } from './lifecycles.ts'
import { llmsFile } from './llms.ts'
import { navigationFile } from './navigation.ts'
import { operationPage } from './operation-page.ts'
import { type Page, pageText, referenceFolder, type Section } from './page.ts'
import { scopesPage } from './scopes-page.ts'
import { webhookSignaturesPage } from './webhook-signatures-page.ts'

interface ReferenceFile {
  readonly path: string
  readonly text: string
}

/** Returns every file of the reference. Any other file in the folder of the reference is obsolete. */
export async function referenceFiles(): Promise<ReferenceFile[]> {
  const sections = await sectionsOf()
  const index = navigationFile(sections)
  const pages = sections.flatMap(({ pages }) => pages.map((page) => ({ path: page.path, text: pageText(page) })))
  const articles = await articlesOf(index, new Map(pages.map(({ path, text }) => [path, text])))
  return [
    ...pages.map(({ path, text }) => ({ path: `${referenceFolder}/${path}.md`, text })),
    ...[...articles].map(([path, text]) => ({ path: `${referenceFolder}/${path}.html`, text })),
    ...(await Promise.all(lifecycles.map(async (each) => drawingFile(each.noun, await drawingOf(each))))),
    { path: `${referenceFolder}/index.json`, text: index },
    { path: `${referenceFolder}/llms.txt`, text: llmsFile(sections) },
    { path: `${referenceFolder}/explorer.js`, text: await explorerScript() },
    { path: `${referenceFolder}/minisearch.js`, text: await searchScript() },
    { path: `${referenceFolder}/minisearch.d.ts`, text: "export { default } from 'minisearch'\n" },
  ]
}

function drawingFile(name: string, text: string): ReferenceFile {
  return { path: `${referenceFolder}/drawings/${name}.svg`, text }
}

/** Returns the groups of the navigation with their pages, in the order in which they are shown. */
async function sectionsOf(): Promise<Section[]> {
  const { start, conventions, topics, hosting } = await guidePages()
  const guides = [...start, ...conventions, ...topics, ...hosting]
  const byStatus = errorCodes.toSorted((a, b) => errors[a].status - errors[b].status)
  return [
    { title: 'Get started', pages: [indexPage(guides), ...start, scopesPage(), await changelogPage()] },
    { title: 'Conventions', pages: [...conventions, await specificationPage()] },
    { title: 'Guides', pages: await withSignatures(topics) },
    ...tags.map((tag) => ({
      title: tag,
      pages: operations.filter((endpoint) => endpoint.tag === tag).map(operationPage),
    })),
    { title: 'Webhook events', pages: eventKinds.map(eventPage) },
    { title: 'Status lifecycles', pages: lifecycles.map(lifecyclePage) },
    { title: 'Error codes', pages: [errorIndex(), ...byStatus.map(errorPage)] },
    { title: 'Self-hosting', pages: hosting },
  ]
}

/** Inserts the page on webhook signatures, which is generated from code, after the webhooks guide. */
async function withSignatures(guides: readonly Page[]): Promise<Page[]> {
  const signatures = await webhookSignaturesPage()
  return guides.flatMap((guide) => (guide.path === 'guides/webhooks' ? [guide, signatures] : [guide]))
}
