import type { Page, Section } from './page.ts'

/** Returns the file llms.txt (llmstxt.org): a title, a summary and one line for each page. */
export function llmsFile([first, ...others]: readonly Section[]): string {
  const [index] = first?.pages ?? []
  const parts = [
    `# ${index?.title ?? ''}`,
    `> ${index?.summary ?? ''}`,
    'Amounts are integer kobo; the currency is NGN. Paths start with /api/v1. Requests need a bearer token unless the page of the operation says otherwise. Every error code has a page. /llms-full.txt has the text of all pages.',
    ...[first, ...others].flatMap((section) =>
      section === undefined ? [] : [`## ${section.title}`, section.pages.map(line).join('\n')],
    ),
  ]
  return `${parts.join('\n\n')}\n`
}

function line({ path, title, summary, method, route }: Page): string {
  const what = route === undefined ? summary : `\`${method} ${route}\`: ${summary}`
  return `- [${title}](${path}.md): ${what}`
}
