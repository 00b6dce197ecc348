/** Runs before the first paint, so that no page flashes in the other scheme. A module would come too late. */
document.documentElement.classList.add('scripted')
try {
  const scheme = localStorage.getItem('scheme')
  if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset.scheme = scheme
} catch {
  // Storage can be forbidden; the system's scheme is right then.
}
