import { createCssVariablesTheme, createHighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import { escapeHtml } from '../../../src/reference/escape.ts'

/** Returns highlighted code as HTML. It uses classes, because the content security policy forbids inline styles. */
export type Highlight = (code: string, language: string) => string

/**
 * The theme writes each colour as a CSS variable. The part of the variable's name after the prefix becomes the CSS
 * class of the code.
 */
const theme = createCssVariablesTheme({ variablePrefix: '--', fontStyle: false })
const colour = /^var\(--(?:token-)?([a-z-]+)\)$/

/** The languages that occur on the pages. Code in other languages is not highlighted. */
const aliases: Readonly<Record<string, string>> = {
  bash: 'shellscript',
  javascript: 'typescript',
  js: 'typescript',
  py: 'python',
  sh: 'shellscript',
  shell: 'shellscript',
  ts: 'typescript',
}

export async function openHighlight(): Promise<Highlight> {
  const highlighter = await createHighlighterCore({
    themes: [theme],
    langs: [
      import('shiki/langs/shellscript.mjs'),
      import('shiki/langs/typescript.mjs'),
      import('shiki/langs/python.mjs'),
      import('shiki/langs/json.mjs'),
      import('shiki/langs/http.mjs'),
      import('shiki/langs/php.mjs'),
      import('shiki/langs/java.mjs'),
      import('shiki/langs/sql.mjs'),
    ],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  const known = new Set(highlighter.getLoadedLanguages())
  return (code, language) => {
    const lang = aliases[language] ?? language
    if (!known.has(lang)) return escapeHtml(code)
    // The highlighter limits the time for each line. This limit is disabled, so that the result does not depend on the
    // load of the machine.
    const options = { lang, theme: 'css-variables', tokenizeTimeLimit: 0 }
    const lines = highlighter.codeToTokensBase(code, options)
    return lines.map((line) => line.map(({ content, color }) => coloured(content, color)).join('')).join('\n')
  }
}

function coloured(text: string, color = ''): string {
  const [, name] = colour.exec(color) ?? []
  const escaped = escapeHtml(text)
  return name === undefined || name === 'foreground' || text.trim() === ''
    ? escaped
    : `<i class="t-${name}">${escaped}</i>`
}
