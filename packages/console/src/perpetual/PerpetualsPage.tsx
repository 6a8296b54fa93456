/** To be written. */
export function PerpetualsPage() {
  return null
}
