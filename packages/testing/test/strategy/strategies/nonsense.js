export const strategy = { description: "Misbehaves.", inputs: {}, decide: (state) => { return { targets: { WETH: 400 } } } }
