export const strategy = { description: "Misbehaves.", inputs: {}, decide: (state) => { return { reason: process.env.HOME } } }
