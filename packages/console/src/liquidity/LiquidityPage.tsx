/** To be written. */
export function LiquidityPage() {
  return null
}
