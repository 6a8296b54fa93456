/** To be written. */
export function BacktestPage() {
  return null
}
