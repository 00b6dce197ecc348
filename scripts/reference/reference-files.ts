import { errorCodes, errors } from '../../registry/errors/index.ts'
import { eventKinds } from '../../registry/kit/event.ts'
import { changelogPage } from './changelog-page.ts'
import { operations, tags } from './contract.ts'
import { drawingOf } from './drawing.ts'
import { errorIndex, errorPage } from './error-page.ts'
import { eventPage } from './event-page.ts'
import { explorerScript } from './explorer-script.ts'
import { guidePages } from './guides.ts'
import { indexPage } from './index-page.ts'
import { lifePage } from './life-page.ts'
import { lives } from './lives.ts'
import { llmsFile } from './llms.ts'
import { navigationFile } from './navigation.ts'
import { operationPage } from './operation-page.ts'
import { pageFile, referenceFolder, type Section } from './page.ts'
import { receiverReference } from './receiver-reference.ts'
import { scopesPage } from './scopes-page.ts'
import { testModePage } from './test-mode-page.ts'

interface ReferenceFile {
  readonly path: string
  readonly text: string
}

/** Every file of the reference; what else lies in its folder is out of date. */
export async function referenceFiles(): Promise<ReferenceFile[]> {
  const sections = await sectionsOf()
  return [
    ...sections.flatMap(({ pages }) => pages.map(pageFile)),
    ...(await Promise.all(lives.map(async (life) => drawingFile(life.noun, await drawingOf(life))))),
    { path: `${referenceFolder}/index.json`, text: navigationFile(sections) },
    { path: `${referenceFolder}/llms.txt`, text: llmsFile(sections) },
    { path: `${referenceFolder}/explorer.js`, text: await explorerScript() },
  ]
}

function drawingFile(name: string, text: string): ReferenceFile {
  return { path: `${referenceFolder}/drawings/${name}.svg`, text }
}

/** In the order of the navigation. */
async function sectionsOf(): Promise<Section[]> {
  const guides = await guidePages()
  const byStatus = errorCodes.toSorted((a, b) => errors[a].status - errors[b].status)
  return [
    { title: 'Start here', pages: [indexPage(guides), ...guides, scopesPage(), testModePage(), await changelogPage()] },
    ...tags.map((tag) => ({
      title: tag,
      pages: operations.filter((endpoint) => endpoint.tag === tag).map(operationPage),
    })),
    { title: 'Webhooks', pages: [await receiverReference(), ...eventKinds.map(eventPage)] },
    { title: 'States', pages: lives.map(lifePage) },
    { title: 'Errors', pages: [errorIndex(), ...byStatus.map(errorPage)] },
  ]
}
