/** Applies the stored colour scheme before the first paint. A script of type module would run too late. */
document.documentElement.classList.add('scripted')
try {
  const scheme = localStorage.getItem('scheme')
  if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset.scheme = scheme
} catch {
  // Storage may be blocked. The page then uses the colour scheme of the system.
}
