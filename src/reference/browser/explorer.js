/**
 * Starts the API explorer. Its external fonts, telemetry and services are switched off, so that it only sends requests
 * to this host.
 */

const place = document.querySelector('#explorer')
if (place instanceof HTMLElement) {
  const response = await fetch(place.dataset.document ?? '')
  const scheme = document.documentElement.dataset.scheme
  const isDark = scheme === 'dark' || (scheme === undefined && matchMedia('(prefers-color-scheme: dark)').matches)
  window.Scalar.createApiReference('#explorer', {
    content: withoutExamples(await response.json()),
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
 * Removes the examples and enums of optional parameters. The explorer would send them all by default: every filter of a
 * list at once, and each write as a dry run.
 * @param {any} description
 */
function withoutExamples(description) {
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
