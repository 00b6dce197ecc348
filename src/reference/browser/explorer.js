/** Starts the explorer. It asks this host only: its own fonts, telemetry and services are all switched off. */

const place = document.querySelector('#explorer')
if (place instanceof HTMLElement) {
  const scheme = document.documentElement.dataset.scheme
  const isDark = scheme === 'dark' || (scheme === undefined && matchMedia('(prefers-color-scheme: dark)').matches)
  window.Scalar.createApiReference('#explorer', {
    url: place.dataset.document,
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
