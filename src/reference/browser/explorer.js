/** Starts the explorer. It asks this host only: its own fonts, telemetry and services are all switched off. */

const place = document.querySelector('#explorer')
if (place instanceof HTMLElement) {
  const answer = await fetch(place.dataset.document ?? '')
  const scheme = document.documentElement.dataset.scheme
  const isDark = scheme === 'dark' || (scheme === undefined && matchMedia('(prefers-color-scheme: dark)').matches)
  window.Scalar.createApiReference('#explorer', {
    content: withoutWishes(await answer.json()),
    darkMode: isDark,
    hideDarkModeToggle: true,
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    orderSchemaPropertiesBy: 'preserve',
    operationTitleSource: 'summary',
    authentication: { preferredSecurityScheme: 'apiToken' },
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  })
}

/**
 * The explorer fills in whatever has an example, and of a list of values the first. A list that is filtered by everything at
 * once is refused or empty, and a write that is always a dry run writes nothing.
 * @param {any} description
 */
function withoutWishes(description) {
  const operations = Object.values(description.paths).flatMap((path) => Object.values(path))
  const used = operations.flatMap(({ parameters }) => parameters ?? [])
  for (const parameter of [...used, ...Object.values(description.components?.parameters ?? {})]) {
    if (parameter.in === 'path' || parameter.required) continue
    for (const part of [parameter, parameter.schema ?? {}, parameter.schema?.items ?? {}]) {
      delete part.example
      delete part.examples
      delete part.enum
      delete part.const
    }
  }
  return description
}
