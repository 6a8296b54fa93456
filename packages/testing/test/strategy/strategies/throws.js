export const strategy = { description: "Misbehaves.", inputs: {}, decide: (state) => { throw new Error('no idea') } }
