/** To be written. */
export function LendingPage() {
  return null
}
