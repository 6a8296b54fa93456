/** Computes Uniswap V3's ticks and square root prices, bit for bit as its contracts do. */

export const minTick = -887_272
export const maxTick = 887_272

const q32 = 1n << 32n
export const q96 = 1n << 96n
const q128 = 1n << 128n
const maxUint256 = (1n << 256n) - 1n

/** 1 / sqrt(1.0001 ** (2 ** n)) in Q128 format, as in the contract. */
const roots = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
  0x48a170391f7dc42444e8fa2n
]

/** Returns the square root of the price at a tick, in Q96 format. */
export const sqrtPriceAt = (tick: number): bigint => {
  const steps = Math.abs(tick)
  let ratio = q128
  for (const [bit, root] of roots.entries()) {
    if ((steps >> bit) & 1) ratio = ratio * root >> 128n
  }
  if (tick > 0) ratio = maxUint256 / ratio
  return (ratio >> 32n) + (ratio % q32 === 0n ? 0n : 1n)
}

/** Returns the highest tick whose price is not above this one. */
export const tickAt = (sqrtPrice: bigint): number => {
  let [low, high] = [minTick, maxTick]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (sqrtPriceAt(middle) <= sqrtPrice) low = middle
    else high = middle - 1
  }
  return low
}

/** Returns the integer square root, rounded down. */
export const squareRoot = (value: bigint): bigint => {
  if (value < 2n) return value
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
